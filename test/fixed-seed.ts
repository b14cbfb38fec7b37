/**
 * Property tests draw the same cases in every run, so that a green test stays green. `npm run test:fresh` sets another
 * seed in LIFEHOOK_TEST_SEED and prints it.
 */
import { configureGlobal } from 'fast-check';
import process from 'node:process';

const SEED = 20_260;

const given = process.env['LIFEHOOK_TEST_SEED'] ?? `${SEED}`;
if (!/^\d+$/.test(given)) {
  throw new Error(`LIFEHOOK_TEST_SEED is "${given}"; set a whole number, or unset it.`);
}
configureGlobal({ seed: Number(given) });
