/** Converts hook files of a hooks.d directory for `lifehook convert`. */
import { isHookFile } from '../by-file/look-at-path.ts';
import { runOciConvert } from './convert.ts';

export const ending = '.json';
export const isConvertible: (value: unknown) => boolean = isHookFile;
export const convertFile: typeof runOciConvert = runOciConvert;
