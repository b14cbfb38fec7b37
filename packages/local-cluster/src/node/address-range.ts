/**
 * The loopback addresses of this cluster. Clusters of one machine share its loopback network, and their pods and
 * services listen on the same ports: each cluster has a range of its own for both.
 *
 * A cluster keeps its range, since its objects contain its addresses. A new one starts with the range that derives from
 * its directory's name, so that clusters that run in turn also have different ones. While it runs it reserves the
 * range by listening on its last address, which the system releases however it exits.
 */
import { LifehookError } from '../../../../src/model/problem.ts';
import { codeOf } from '../../../../src/platform/posix-error.ts';
import type { Files } from '../../../../src/platform/platform.ts';
import type { TcpForwarder, TcpForwarding } from '../../../../src/platform/tcp-listener.ts';

export interface AddressRange {
  /** Example: "127.10." */
  readonly pods: string;
  /** Example: "127.96." */
  readonly services: string;
  release(): Promise<void>;
}

export interface RangeOptions {
  readonly files: Files;
  readonly forwarding: TcpForwarding;
  readonly stateFolder: string;
  /** Whether this machine has only one loopback address, so that ranges are not reserved. */
  readonly shared: boolean;
}

export const RANGE_COUNT = 80;
const FIRST_OF_PODS = 10;
const FIRST_OF_SERVICES = 96;
/** No other program listens on the last address with the port of the kubelet. */
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
    next: 'end one of them with lifehook down --cluster NAME.',
  });
}

/** null: no range is recorded, or the record is invalid. */
async function keptNumber(files: Files, path: string): Promise<number | null> {
  try {
    const number = Number((await files.read(path)).trim());
    return Number.isInteger(number) && number >= 0 && number < RANGE_COUNT ? number : null;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** A hash; any distribution is sufficient. */
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
