import { describe, expect, it } from 'vitest';

import type { DeploymentLifecycle } from '../kinds.ts';
import { isAuthoredWith, proofIn, proveAuthorWith } from './review-authors.ts';

const KEY = 'k'.repeat(32);
const AUTHOR = 'lifehook.dev/author';

interface Written {
  readonly command?: string;
  readonly uid?: string;
  readonly generation?: number;
  readonly proof?: string;
}

function lifecycleOf({
  command = 'a',
  uid = 'u1',
  generation = 2,
  proof,
}: Written): DeploymentLifecycle {
  const pre = { execNewPod: { containerName: 'main', command: [command] } };
  const annotations = proof === undefined ? {} : { [AUTHOR]: proof };
  return {
    metadata: { name: 'web', uid, generation, annotations },
    spec: { deploymentName: 'web', rollingUpdate: { pre } },
  };
}

const prove = (written: Written, key: string = KEY): string =>
  proveAuthorWith(key)(lifecycleOf(written));
const isAuthored = (written: Written): boolean => isAuthoredWith(KEY)(lifecycleOf(written));

describe('the proof of the author of a spec', () => {
  it('is the same for the same spec, and of one object and one generation alone', () => {
    const proof = prove({});
    expect(prove({})).toBe(proof);
    const others = [{ command: 'b' }, { uid: 'u2' }, { generation: 3 }].map((one) => prove(one));
    expect(new Set([proof, prove({}, 'other'.repeat(8)), ...others]).size).toBe(5);
  });

  it('is accepted in the annotation of its object', () => {
    expect(isAuthored({ proof: prove({}) })).toBe(true);
    expect(isAuthored({ proof: prove({ command: 'b' }) })).toBe(false);
    expect(isAuthored({ proof: 'ask' })).toBe(false);
    expect(isAuthored({})).toBe(false);
  });

  it('is not needed for the spec that the object was created with', () => {
    expect(isAuthored({ generation: 1 })).toBe(true);
  });
});

it('a lifecycle without annotations has no proof', () => {
  const { spec } = lifecycleOf({});
  expect([{ spec }, { metadata: {}, spec }].map(proofIn)).toEqual(['', '']);
});
