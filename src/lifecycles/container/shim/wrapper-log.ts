/**
 * Reports errors and warnings of the wrapper as runc does: on stderr, and in the file that the caller named with --log.
 * Podman and containerd show that file.
 */
import type { ShimHost } from '../../../platform/shim-host.ts';
import { errorText } from '../../../platform/error-text.ts';
import { decodeUtf8, encodeUtf8 } from '../../../platform/byte-text.ts';
import type { RuntimeCall } from './runtime-args.ts';

export async function reportFailure(
  host: ShimHost,
  { log }: RuntimeCall,
  error: unknown,
): Promise<void> {
  await report(host, { log }, { level: 'error', message: oneLine(error) });
}

/** Reports a problem that stops nothing, on stderr and in the log. */
export async function reportWarning(
  host: ShimHost,
  call: Pick<RuntimeCall, 'log'>,
  text: string,
): Promise<void> {
  await report(host, call, { level: 'warning', message: text.replaceAll('\n', ' ') });
}

/**
 * Adds details to the last failure that the runtime logged. Podman reads the log as one JSON text, so the details are
 * added to the runtime's own line.
 */
export async function addToFailure(
  host: ShimHost,
  { log }: Pick<RuntimeCall, 'log'>,
  words: string,
): Promise<void> {
  host.print('stderr', `lifehook-runtime: ${words}\n`);
  if (log.file === undefined) return;
  try {
    const lines = (await host.files.read(log.file)).trimEnd().split('\n');
    const failure = JSON.parse(decodeUtf8(lines.pop() ?? '')) as { msg: string };
    const reported = encodeUtf8(JSON.stringify({ ...failure, msg: `${failure.msg}: ${words}` }));
    await host.replaceUnsynced(log.file, [...lines, `${reported}\n`].join('\n'), { mode: logMode });
  } catch {
    // The log is not JSON, or we may not change it. The details are on stderr already.
  }
}

async function report(
  host: ShimHost,
  { log }: Pick<RuntimeCall, 'log'>,
  { level, message }: { readonly level: 'error' | 'warning'; readonly message: string },
): Promise<void> {
  host.print('stderr', `lifehook-runtime: ${message}\n`);
  if (log.file === undefined) return;
  const time = new Date(host.clock.nowMs()).toISOString();
  const line = log.json
    ? JSON.stringify({ level, msg: message, time })
    : `time=${JSON.stringify(time)} level=${level} msg=${JSON.stringify(message)}`;
  try {
    const file = await host.files.openAppend(log.file, logMode);
    await file.write(`${line}\n`);
    await file.close();
  } catch {
    // The problem is on stderr already.
  }
}

/** Reports a slow wrapper once for each spool directory, which means once per boot of the machine. */
export async function reportSlowness(host: ShimHost, spool: string): Promise<void> {
  if (host.slowness === null) return;
  try {
    await host.files.makeFolder(spool, spoolMode);
    await host.files.create(`${spool}/.told-slowness`, '', logMode);
  } catch {
    // The slowness was reported before, or whether it was cannot be determined.
    return;
  }
  host.print('stderr', `lifehook-runtime: ${host.slowness}.\n`);
}

const spoolMode = 0o700;
const logMode = 0o600;

/** The message of an error on one line; that of a LifehookError has one line per problem. */
function oneLine(error: unknown): string {
  return errorText(error).replaceAll('\n', ' ');
}
