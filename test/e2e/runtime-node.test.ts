/** The process runner under the supervisor for machines without a QuickJS compiler. */
import { describeBehaviours } from './runtime-behaviours.ts';

describeBehaviours('process', 'node');
