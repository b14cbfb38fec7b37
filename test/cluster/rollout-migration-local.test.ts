/** The migration story on the local cluster, with plain processes. */
import { openMigrationStand } from '../e2e/rollout-migration-stand.ts';
import { story } from '../fixtures/rollout-migration/story.ts';
import { runStory } from '../fixtures/rollout-migration/run-story.ts';

runStory('migrations on the local cluster', story, openMigrationStand);
