/**
 * Reserves a range of loopback addresses for the pods and services of this cluster.
 *
 * All clusters of a machine share its loopback network, and their pods and services use the same ports. So each cluster
 * needs its own range.
 *
 * A cluster keeps its range, because its objects contain its addresses. The first range of a new cluster is derived
 * from its directory's name, so that clusters that never run together differ too. A running cluster reserves its range
 * by listening on the last address. The system frees that address however the process exits.
 */
import { LifehookError } from '../../../../src/model/problem.ts';
import { codeOf } from '../../../../src/platform/posix-error.ts';
import type { Files } from '../../../../src/platform/platform.ts';
import type { TcpForwarder, TcpForwarding } from '../../../../src/platform/tcp-listener.ts';

export interface AddressRange {
  /** First two numbers of the pods' addresses, with the final dot, such as "127.10." */
  readonly pods: string;
  /** First two numbers of the cluster IPs, with the final dot, such as "127.96." */
  readonly services: string;
  release(): Promise<void>;
}

export interface RangeOptions {
  readonly files: Files;
  readonly forwarding: TcpForwarding;
  readonly stateFolder: string;
  /** True if this machine has only one loopback address; then no range is reserved. */
  readonly shared: boolean;
}

export const RANGE_COUNT = 80;
const FIRST_OF_PODS = 10;
const FIRST_OF_SERVICES = 96;
/** Port to listen on at the last address of the range. Few programs use it: it is the default port of a kubelet. */
const HOLDING_PORT = 10_250;
const FILE_MODE = 0o600;

export async function holdAddressRange(options: RangeOptions): Promise<AddressRange> {
  const { files, stateFolder, shared } = options;
  const path = `${stateFolder}/address-range`;
  const kept = await keptNumber(files, path);
  const first = shared ? 0 : (kept ?? numberFor(stateFolder));
  for (let tried = 0; tried < RANGE_COUNT; tried += 1) {
    const number = (first + tried) % RANGE_COUNT;
    const holder = shared ? null : await hold(options, number);
    if (holder === 'taken') continue;
    if (kept !== number) await files.replace(path, `${number}\n`, { mode: FILE_MODE });
    return {
      pods: `127.${FIRST_OF_PODS + number}.`,
      services: `127.${FIRST_OF_SERVICES + number}.`,
      release: async () => holder?.stopListening(),
    };
  }
  throw new LifehookError({
    code: 'LHA104',
    message: `All ${RANGE_COUNT} ranges of loopback addresses are in use by other clusters of this machine.`,
    next: 'stop one of them with lifehook down --cluster NAME.',
  });
}

/** Returns null if no range is recorded, or if the record is invalid. */
async function keptNumber(files: Files, path: string): Promise<number | null> {
  try {
    const number = Number((await files.read(path)).trim());
    return Number.isInteger(number) && number >= 0 && number < RANGE_COUNT ? number : null;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Hashes a text to the number of a range. Any distribution is good enough. */
function numberFor(text: string): number {
  let sum = 0;
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return sum % RANGE_COUNT;
}

async function hold({ forwarding }: RangeOptions, number: number): Promise<TcpForwarder | 'taken'> {
  const host = `127.${FIRST_OF_SERVICES + number}.255.255`;
  try {
    return await forwarding.forward({ host, port: HOLDING_PORT }, () => null);
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE') return 'taken';
    throw error;
  }
}
