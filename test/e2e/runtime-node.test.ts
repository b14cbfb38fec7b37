/** The process runner with the supervisor under Node, for machines without a QuickJS compiler. */
import { describeBehaviours } from './runtime-behaviours.ts';

describeBehaviours('process', 'node');
