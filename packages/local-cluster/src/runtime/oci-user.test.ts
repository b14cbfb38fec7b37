import { describe, expect, it } from 'vitest';

import { posixError } from '../../../../src/platform/posix-error.ts';
import type { Files } from '../../../../src/platform/platform.ts';
import type { SupervisorConnection } from '../../../../src/platform/supervision.ts';
import { securityOf } from '../node/prepare.ts';
import { findUser, imageUsers } from './oci-user.ts';

const texts: Record<string, string> = {
  '/image/etc/passwd': 'root:x:0:0::/:/bin/sh\nweb:x:1000:100::/:/bin/sh',
  '/image/etc/group': 'extra:x:30:web',
};
const files = {
  read: async (path: string) => {
    const text = texts[path];
    if (text === undefined) throw posixError('ENOENT', path);
    return text;
  },
} as unknown as Files;

const userOf = async (
  podContext: object,
  user: string | null,
  imageFiles = files,
): Promise<unknown> => {
  const spec = { containers: [], securityContext: podContext };
  const config = { entrypoint: [], command: [], env: {}, workingDir: null, user };
  const image = { reference: 'web', id: 'sha256:1', rootPath: '/image', config };
  return findUser(imageFiles, { ...securityOf({ spec }, { name: 'app' }), image });
};

it('adds the groups of the pod to those of the user of the image', async () => {
  const context = { fsGroup: 2_000, supplementalGroups: [3_000] };
  const groups = [3_000, 2_000];
  expect(await userOf(context, 'web')).toEqual({ uid: 1_000, gid: 100, groups: [30, ...groups] });
  expect(await userOf(context, null)).toEqual({ uid: 0, gid: 0, groups });
  expect(await userOf({ runAsGroup: 5 }, 'web')).toEqual({ uid: 1_000, gid: 5, groups: [30] });
});

it('takes the user of the pod in place of the user of the image', async () => {
  const context = { runAsUser: 7, runAsGroup: 8, fsGroup: 9 };
  expect(await userOf(context, 'web')).toEqual({ uid: 7, gid: 8, groups: [9] });
});

it('starts no container whose user cannot be read for lack of descriptors', async () => {
  const full = posixError('EMFILE', 'too many open files');
  const scarce = { ...files, read: () => Promise.reject(full) };
  await expect(userOf({}, '1000')).resolves.toMatchObject({ uid: 1_000, gid: 100 });
  await expect(userOf({}, '1000', scarce)).rejects.toBe(full);
});

describe('the containers that run an image', () => {
  const usersAfter = (failure: Error | null): Promise<readonly string[]> =>
    imageUsers('sha256:1', {
      files: {
        list: async () => ['c1'],
        read: async (path: string) => {
          if (!path.endsWith('order.json')) throw posixError('ENOENT', path);
          return JSON.stringify({ id: 'c1', labels: {}, imageId: 'sha256:1' });
        },
      } as unknown as Files,
      supervisors: {
        connect: async () => {
          if (failure !== null) throw failure;
          return { close: () => undefined } as unknown as SupervisorConnection;
        },
      },
      stateFolders: ['/state'],
    });

  it('include one whose supervisor has no time to accept a connection', async () => {
    expect(await usersAfter(null)).toEqual(['container c1']);
    expect(await usersAfter(posixError('EAGAIN', 'busy'))).toEqual(['container c1']);
    expect(await usersAfter(posixError('ECONNREFUSED', 'refused'))).toEqual([]);
  });

  it('are unknown while there is no descriptor for a connection', async () => {
    await expect(usersAfter(posixError('EMFILE', 'full'))).rejects.toThrow('full');
  });
});
