/**
 * Which loopback addresses are this cluster's. Clusters of one machine share its loopback network, and
 * their pods and services listen on the same ports: each cluster has a range of its own for both.
 *
 * A cluster keeps its range, since its objects tell its addresses. A new one begins with the range that
 * its folder's name gives, so that clusters that are up in turn have different ones, too. While it is up it
 * holds the range by listening on its last address, which the system takes back however it ends.
 */
import { LifehookError } from '../../../../src/model/problem.ts';
import { codeOf } from '../../../../src/platform/posix-error.ts';
import type { Files } from '../../../../src/platform/platform.ts';
import type { TcpForwarder, TcpForwarding } from '../../../../src/platform/tcp-listener.ts';

export interface AddressRange {
  /** "127.10." */
  readonly pods: string;
  /** "127.96." */
  readonly services: string;
  release(): Promise<void>;
}

export interface RangeOptions {
  readonly files: Files;
  readonly forwarding: TcpForwarding;
  readonly stateFolder: string;
  /** This machine has one loopback address only: there is nothing to share out. */
  readonly shared: boolean;
}

export const RANGE_COUNT = 80;
const FIRST_OF_PODS = 10;
const FIRST_OF_SERVICES = 96;
/** Nobody listens on the last address for another reason; the port is that of a node's own server. */
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
    severity: 'error',
    message: `All ${RANGE_COUNT} ranges of loopback addresses are in use by other clusters of this machine.`,
    next: 'end one of them with lifehook down --cluster NAME.',
  });
}

/** null: it has none yet, or what is there is none. */
async function keptNumber(files: Files, path: string): Promise<number | null> {
  try {
    const number = Number((await files.read(path)).trim());
    return Number.isInteger(number) && number >= 0 && number < RANGE_COUNT ? number : null;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Any spread will do. */
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
