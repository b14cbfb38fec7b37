/** `lifehook version`: prints the version of this program, and with --server that of the API server. */
import process from 'node:process';

import { readServerFacts } from '../kube/capabilities.ts';
import { exitCodes } from './exit-codes.ts';
import { connectToKube, type KubeOptions } from './kube-connection.ts';
import { printed } from './listing.ts';
import type { OutputFormat } from './shared-options.ts';
import { version } from './version.ts';

export interface VersionOptions extends KubeOptions {
  readonly server?: boolean;
  readonly output: OutputFormat;
}

interface Versions {
  readonly lifehook: string;
  readonly node: string;
  readonly platform: string;
  readonly server?: { readonly version: string; readonly source: string };
}

export async function runVersion(options: VersionOptions): Promise<number> {
  const { versions, platform, arch } = process;
  const own = { lifehook: version, node: versions.node, platform: `${platform}/${arch}` };
  const server = options.server === true ? { server: await serverVersion(options) } : {};
  const all: Versions = { ...own, ...server };
  process.stdout.write(printed(all, options.output, () => versionText(all)));
  return exitCodes.done;
}

/** Rejects if the server does not answer. */
async function serverVersion(options: KubeOptions): Promise<NonNullable<Versions['server']>> {
  using cluster = await connectToKube(options, 'version');
  const facts = await readServerFacts(cluster.client);
  return { version: facts.version.text, source: cluster.source };
}

function versionText({ lifehook, node, platform, server }: Versions): string {
  const lines = [`lifehook  ${lifehook}`, `Node      v${node} on ${platform}`];
  if (server !== undefined) lines.push(`server    ${server.version}, ${server.source}`);
  return `${lines.join('\n')}\n`;
}
