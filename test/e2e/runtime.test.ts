/** The process runner with the native supervisor, if that was built. */
import { describeBehaviours } from './runtime-behaviours.ts';

describeBehaviours('process');
