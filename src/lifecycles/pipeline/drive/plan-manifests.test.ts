import { expect, onTestFinished, test } from 'vitest';

import { buildStand } from '../../../../test/fixtures/pipeline/build-stand.ts';
import { fileSession } from '../../../../test/fixtures/pipeline/file-session.ts';
import { FILES_AT_ONCE } from '../build/file-digest.ts';
import { planManifests } from './plan-manifests.ts';

const FILE = `apiVersion: skaffold/v4beta13
kind: Config
manifests:
  rawYaml: [k8s/*]
`;

const MANIFEST = 'apiVersion: v1\nkind: Service\nmetadata: { name: web }\n';

test('a plan reads few manifests at once, so that a low limit of open files is enough', async () => {
  const s = buildStand();
  onTestFinished(s.remove);
  s.write('skaffold.yaml', FILE);
  for (let at = 0; at < 100; at += 1) s.write(`k8s/${at}.yaml`, MANIFEST);
  const session = await fileSession(s);
  const { files } = session.platform;
  let [open, most] = [0, 0];
  const read: typeof files.read = async (path) => {
    open += 1;
    most = Math.max(most, open);
    const content = await files.read(path);
    open -= 1;
    return content;
  };
  const platform = { ...session.platform, files: { ...files, read } };
  const { phases } = await planManifests({ ...session, platform });
  expect(phases.map(({ phase }) => phase)).toEqual(['render', 'deploy']);
  expect(most).toBe(FILES_AT_ONCE);
});
