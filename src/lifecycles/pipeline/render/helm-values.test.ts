import { expect, test } from 'vitest';

import { imageTemplateData } from './helm-values.ts';

test('imageTemplateData gives name, repo, tag, digest and domain of each built image', () => {
  const data = imageTemplateData([
    { image: 'web', reference: 'localhost:5000/web:v1@sha256:d1' },
    { image: 'acme/api', reference: 'acme/api:v2' },
  ]);
  expect(data).toMatchObject({
    IMAGE_NAME: 'web',
    IMAGE_REPO: 'localhost:5000/web',
    IMAGE_TAG: 'v1',
    IMAGE_DIGEST: 'sha256:d1',
    IMAGE_DOMAIN: 'localhost:5000',
    IMAGE_REPO_NO_DOMAIN: 'web',
    IMAGE_FULLY_QUALIFIED: 'localhost:5000/web:v1@sha256:d1',
    IMAGE_TAG_web: 'v1',
    IMAGE_NAME2: 'acme/api',
    IMAGE_DOMAIN2: '',
    IMAGE_TAG_acme_api: 'v2',
    IMAGE_REPO_NO_DOMAIN_acme_api: 'acme/api',
  });
});
