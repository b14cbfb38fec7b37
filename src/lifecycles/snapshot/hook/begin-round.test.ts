import { describe, expect, it } from 'vitest';

import { UnreachableError } from '../../../kube/api-error.ts';
import type { ContainerAccess } from '../context.ts';
import { fencedAccess } from './begin-round.ts';

/** Container access with a fake leadership check, and the commands that were sent through it. */
function fenced(leads: () => boolean): {
  readonly access: ContainerAccess;
  readonly sent: string[];
} {
  const sent: string[] = [];
  const none = (what: string) => (): Promise<never> => {
    sent.push(what);
    return Promise.reject(new Error('nobody is there'));
  };
  const exec = (): Promise<{ outcome: 'exited'; exitCode: number }> => {
    sent.push('exec');
    return Promise.resolve({ outcome: 'exited', exitCode: 0 });
  };
  const network = { httpGet: none('httpGet'), tcpConnect: none('tcpConnect') };
  return { access: fencedAccess({ exec, openExec: none('openExec'), network }, leads), sent };
}

const target = { namespace: 'ns', pod: 'p', command: ['thaw'] };
const request = { url: 'http://a', headers: {}, bodyLimitBytes: 1, verifyCertificate: false };
const signal = new AbortController().signal;

describe('fencedAccess', () => {
  it('checks the leadership before each command (SNAP-I14)', async () => {
    let leads = true;
    const { access, sent } = fenced(() => leads);
    expect((await access.exec(target)).outcome).toBe('exited');
    leads = false;
    expect(await access.exec(target)).toMatchObject({
      outcome: 'failed',
      status: { reason: 'NotLeader' },
    });
    expect(sent).toEqual(['exec']);
  });

  it('opens no session and no connection without leadership, and reports that nothing was sent', async () => {
    const { access, sent } = fenced(() => false);
    const tries = [
      access.openExec(target),
      access.network.httpGet({ ...request, signal }),
      access.network.tcpConnect({ host: 'a', port: 1, signal }),
    ];
    for (const each of await Promise.allSettled(tries)) {
      expect(each).toMatchObject({ status: 'rejected', reason: { sent: false } });
      expect((each as PromiseRejectedResult).reason).toBeInstanceOf(UnreachableError);
    }
    expect(sent).toEqual([]);
  });
});
