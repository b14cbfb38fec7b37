/**
 * Property tests draw the same cases in every run, so that one which is green stays green. `npm run test:fresh` gives
 * another seed in LIFEHOOK_TEST_SEED and prints it.
 */
import { configureGlobal } from 'fast-check';
import process from 'node:process';

const SEED = 20_260;

configureGlobal({ seed: Number(process.env['LIFEHOOK_TEST_SEED'] ?? SEED) });
