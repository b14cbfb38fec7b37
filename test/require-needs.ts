/** Fails a run before its first test, with `CI` set, if a program that the suite needs is missing. */
export { requireNeeds as setup } from './needs.ts';
