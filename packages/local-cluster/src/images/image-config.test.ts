import { describe, expect, it } from 'vitest';
import { canonicalReference, familiarReference, parseReference } from './image-config.ts';

const digest = `sha256:${'a'.repeat(64)}`;

describe('the name of an image', () => {
  it.each([
    ['nginx', 'docker.io/library/nginx:latest'],
    ['nginx:1.16.1', 'docker.io/library/nginx:1.16.1'],
    ['library/nginx', 'docker.io/library/nginx:latest'],
    ['docker.io/nginx', 'docker.io/library/nginx:latest'],
    ['docker.io/library/nginx:latest', 'docker.io/library/nginx:latest'],
    ['team/web', 'docker.io/team/web:latest'],
    ['localhost/web', 'localhost/web:latest'],
    ['localhost:5000/web:v1', 'localhost:5000/web:v1'],
    ['ghcr.io/Team/web'.toLowerCase(), 'ghcr.io/team/web:latest'],
    [`nginx@${digest}`, `docker.io/library/nginx@${digest}`],
    [`nginx:1@${digest}`, `docker.io/library/nginx@${digest}`],
  ])('%s is short for %s', (text, canonical) => {
    expect(canonicalReference(text)).toBe(canonical);
  });

  it.each([
    '',
    'Nginx',
    'nginx:',
    'nginx:a b',
    '/nginx',
    'nginx/',
    '../nginx',
    'nginx@sha256:12',
    'a//b',
  ])('%j is refused with an example of a valid name', (text) => {
    expect(() => parseReference(text)).toThrow(/LHN301.*nginx:1\.16\.1/);
  });

  it.each([
    ['docker.io/library/nginx:latest', 'nginx:latest'],
    ['docker.io/team/web:v2', 'team/web:v2'],
    ['ghcr.io/team/web:v2', 'ghcr.io/team/web:v2'],
  ])('%s is shown as %s', (canonical, familiar) => {
    expect(familiarReference(canonical)).toBe(familiar);
    expect(canonicalReference(familiar)).toBe(canonical);
  });
});
