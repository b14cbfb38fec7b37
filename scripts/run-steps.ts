/**
 * Runs npm scripts of this package one after another and stops at the first that fails: `node --import tsx
 * scripts/run-steps.ts types lint`. While a step is silent, it prints every few seconds that the step still runs. It
 * forwards signals to the step.
 */
import { spawn } from 'node:child_process';
import process from 'node:process';

/**
 * Milliseconds between two lines of progress. Below five seconds, because a program that is silent for longer seems to
 * hang.
 */
const EVERY_MS = 4_000;
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const names = process.argv.slice(2);
if (names.length === 0) {
  console.error('run-steps: name at least one npm script, such as "types"');
  process.exit(2);
}
const startedMs = performance.now();
for (const name of names) {
  const problem = await runStep(name);
  if (problem !== null) {
    console.error(`== ${name} failed: ${problem}. Run it alone: npm run ${name}`);
    process.exit(1);
  }
}
console.log(`== done after ${secondsSince(startedMs)} s`);

/** The reason of a failure; null: success. */
async function runStep(name: string): Promise<string | null> {
  const beganMs = performance.now();
  console.log(`== ${name}`);
  const child = spawn('npm', ['run', '--silent', name], { stdio: ['inherit', 'pipe', 'inherit'] });
  const forward = (signal: NodeJS.Signals): void => {
    child.kill(signal);
  };
  for (const signal of FORWARDED) process.on(signal, forward);
  const timer = setInterval(() => {
    console.log(`  ${name} has run for ${secondsSince(beganMs)} s`);
  }, EVERY_MS);
  child.stdout.on('data', () => {
    timer.refresh();
  });
  child.stdout.pipe(process.stdout, { end: false });
  const problem = await new Promise<string | null>((done) => {
    child.on('error', ({ message }) => {
      done(message);
    });
    child.on('close', (code, signal) => {
      done(code === 0 ? null : (signal ?? `exit code ${code}`));
    });
  });
  clearInterval(timer);
  for (const signal of FORWARDED) process.removeListener(signal, forward);
  return problem;
}

function secondsSince(ms: number): number {
  return Math.round((performance.now() - ms) / 1_000);
}
