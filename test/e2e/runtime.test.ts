/** The process runner, under the native keeper where it was built. */
import { describeBehaviours } from './runtime-behaviours.ts';

describeBehaviours('process');
