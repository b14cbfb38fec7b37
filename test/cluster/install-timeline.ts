/** Opens the timeline of a controller pod as a user does. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import type { Bar, BarPage } from '../../src/timeline/bar.ts';
import { kubectlPath, run } from '../e2e/cluster-stand.ts';
import { SYSTEM } from './install-stand.ts';
import { kubeconfigPath } from './real-cluster.ts';

export interface OpenTimeline extends AsyncDisposable {
  bars(): Promise<readonly Bar[]>;
}

/** Forwards a port, sends a request without a cookie, runs the command that the answer names, and opens the link. */
export async function openTimeline(pod: string): Promise<OpenTimeline> {
  const own = ['--kubeconfig', kubeconfigPath()];
  const forward = ['--namespace', SYSTEM, 'port-forward', pod, ':9091'];
  const child = spawn(kubectlPath(), [...own, ...forward], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const close = async (): Promise<void> => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  try {
    const cookie = await cookieFrom(await originOf(child), own);
    return {
      bars: async () => {
        const answer = await fetch(`${cookie.origin}/api/bars`, { headers: cookie.headers });
        return ((await answer.json()) as BarPage).bars;
      },
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Reads the address from a line such as "Forwarding from 127.0.0.1:40000 -> 9091". */
async function originOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('kubectl says nothing');
  for await (const line of createInterface({ input: stdout })) {
    const host = /127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (host !== undefined) return `http://${host}`;
  }
  throw new Error('kubectl forwards no port');
}

interface Cookie {
  readonly origin: string;
  readonly headers: { readonly cookie: string };
}

async function cookieFrom(origin: string, own: readonly string[]): Promise<Cookie> {
  const said = await (await fetch(origin)).text();
  const command = /`kubectl (.+)`/.exec(said)?.[1] ?? '';
  const { stdout } = await run('sh', ['-c', `"$0" "$1" "$2" ${command}`, kubectlPath(), ...own]);
  const { link } = JSON.parse(stdout) as { readonly link: string };
  // The controller takes the address of the link from the request, so the link must have the forwarded port.
  if (!link.startsWith(`${origin}/`)) throw new Error(`${link} does not lead to ${origin}`);
  const login = await fetch(link);
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { origin, headers: { cookie } };
}
