import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { nodePlatform } from '../../../../src/platform/node-platform.ts';
import { posixError } from '../../../../src/platform/posix-error.ts';
import type { TcpForwarder, TcpForwarding } from '../../../../src/platform/tcp-listener.ts';
import { type AddressRange, holdAddressRange, RANGE_COUNT } from './address-range.ts';

/** The loopback network of one machine, on which an address and port can be taken only once. */
class Loopback implements TcpForwarding {
  readonly taken = new Set<string>();

  async forward({ host, port }: { host: string; port: number }): Promise<TcpForwarder> {
    const address = `${host}:${port}`;
    if (this.taken.has(address)) throw posixError('EADDRINUSE', address);
    this.taken.add(address);
    return {
      stopListening: async () => {
        this.taken.delete(address);
      },
      closeConnections: () => {},
    };
  }
}

let stateFolder: string;
let forwarding: Loopback;

beforeEach(async () => {
  stateFolder = await mkdtemp(join(tmpdir(), 'lifehook-range-'));
  forwarding = new Loopback();
});

afterEach(async () => {
  await rm(stateFolder, { recursive: true, force: true });
});

const hold = (shared: boolean = false): Promise<AddressRange> =>
  holdAddressRange({ files: nodePlatform.files, forwarding, stateFolder, shared });

describe('holdAddressRange', () => {
  it('keeps the range of a cluster across restarts', async () => {
    const first = await hold();
    await first.release();
    const again = await hold();
    expect([again.pods, again.services]).toEqual([first.pods, first.services]);
    expect(first.pods).toMatch(/^127\.\d+\.$/);
  });

  it('takes the next range while another cluster has its own, and keeps that one', async () => {
    const first = await hold();
    const number = Number(await readFile(join(stateFolder, 'address-range'), 'utf8'));
    const second = await hold();
    expect(second.pods).not.toBe(first.pods);
    expect(second.services).not.toBe(first.services);
    await first.release();
    await second.release();
    expect((await hold()).pods).toBe(second.pods);
    expect(Number(await readFile(join(stateFolder, 'address-range'), 'utf8'))).toBe(
      (number + 1) % RANGE_COUNT,
    );
  });

  it('chooses the range again when the file has no valid range', async () => {
    const first = await hold();
    await first.release();
    await writeFile(join(stateFolder, 'address-range'), '800\n');
    expect((await hold()).pods).toBe(first.pods);
  });

  it('fails with LHA104 when every range is taken', async () => {
    for (let taken = 0; taken < RANGE_COUNT; taken += 1) await hold();
    await expect(hold()).rejects.toThrow('LHA104');
  });

  it('holds no address with a shared address', async () => {
    await hold(true);
    expect(forwarding.taken.size).toBe(0);
  });
});
