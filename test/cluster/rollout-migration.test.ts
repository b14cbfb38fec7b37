/** examples/rollouts on the real cluster, with images of Debian packages and `lifehook controller` on this machine. */
import { story } from '../fixtures/rollout-migration/story.ts';
import { runStory } from '../fixtures/rollout-migration/run-story.ts';
import { openRealMigration } from './rollout-migration-cluster.ts';

runStory('migrations on the real cluster', story, openRealMigration);
