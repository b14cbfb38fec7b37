/**
 * Runs npm scripts of this package one after another and stops at the first that fails:
 * `tsx scripts/run-steps.ts types lint`. A step that prints nothing is reported as running every few seconds.
 */
import { spawn } from 'node:child_process';
import process from 'node:process';

/** Below the five seconds after which a silent program seems to hang. */
const EVERY_MS = 4_000;

const startedMs = performance.now();
for (const name of process.argv.slice(2)) {
  const code = await runStep(name);
  if (code !== 0) {
    console.error(`== ${name} failed. Run it alone: npm run ${name}`);
    process.exit(code);
  }
}
console.log(`== done after ${secondsSince(startedMs)} s`);

async function runStep(name: string): Promise<number> {
  const beganMs = performance.now();
  console.log(`== ${name}`);
  const child = spawn('npm', ['run', '--silent', name], { stdio: ['inherit', 'pipe', 'inherit'] });
  let isSilent = true;
  const timer = setInterval(() => {
    if (isSilent) console.log(`  ${name} runs since ${secondsSince(beganMs)} s`);
    isSilent = true;
  }, EVERY_MS);
  child.stdout.on('data', () => {
    isSilent = false;
  });
  child.stdout.pipe(process.stdout, { end: false });
  const code = await new Promise<number>((done) => {
    child.on('close', (status) => {
      done(status ?? 1);
    });
  });
  clearInterval(timer);
  return code;
}

function secondsSince(ms: number): number {
  return Math.round((performance.now() - ms) / 1_000);
}
