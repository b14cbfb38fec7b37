/** The supervisor of one container under Node: `supervise.js FOLDER INSTANCE`. */
import process from 'node:process';
import { supervise } from '../lifecycles/container/life/supervise.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import { nodeSupervision } from '../platform/node-supervision.ts';

const [, , folder = '', instance = ''] = process.argv;
void supervise({ platform: nodePlatform, supervision: nodeSupervision, folder, instance });
