/**
 * Shows a link in the browser of this desktop, if there is one. The link goes by a file that only this user can read:
 * on the command line of the browser everybody on this machine could read it, and be first.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const MODE = 0o600;

/** Never rejects: the link is on the terminal too. The file is there until the signal aborts. */
export async function openBrowser(link: string, signal: AbortSignal): Promise<void> {
  const program = opener();
  if (program === null) return;
  try {
    const folder = await mkdtemp(join(tmpdir(), 'lifehook-ui-'));
    const file = join(folder, 'timeline.html');
    const text = `<!doctype html><meta http-equiv="refresh" content="0;url=${link}">\n`;
    await writeFile(file, text, { mode: MODE });
    signal.addEventListener('abort', () => {
      void rm(folder, { recursive: true, force: true });
    });
    const child = spawn(program, [file], { stdio: 'ignore', detached: true });
    child.on('error', () => undefined);
    child.unref();
  } catch {
    // A full disk: see above.
  }
}

/** null: nobody sits at this terminal, or it has no desktop. */
function opener(): string | null {
  const { env, platform, stdout } = process;
  if (!stdout.isTTY) return null;
  if (platform === 'darwin') return 'open';
  const hasDesktop = (env['DISPLAY'] ?? '') !== '' || (env['WAYLAND_DISPLAY'] ?? '') !== '';
  return hasDesktop ? 'xdg-open' : null;
}
