/** The process runner, under the native supervisor where it was built. */
import { describeBehaviours } from './runtime-behaviours.ts';

describeBehaviours('process');
