/** Runs before the first test of each suite whose tests need more than Node. */
export { requireNeeds as setup } from './needs.ts';
