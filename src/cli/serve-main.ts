/** The process of a local cluster: `startInBackground` starts it as `serve.cjs FOLDER OPTIONS`. */
import process from 'node:process';
import type * as cluster from './cluster/cluster-main.ts';
import type { UpOptions } from './cluster/up.ts';
import { outliveOutput } from './output-streams.ts';
import { loadCompiled, programFolder } from './program-files.ts';

async function main([folder = '', options = '']: readonly string[]): Promise<void> {
  const { serve } = loadCompiled<typeof cluster>(programFolder(), 'cluster').exports;
  process.exit(await serve(folder, JSON.parse(options) as UpOptions));
}

// A log on a full disk must not end the cluster.
outliveOutput(process.stdout, process.stderr);

void main(process.argv.slice(2));
