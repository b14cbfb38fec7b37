/** A web server that exits at once on TERM, as many servers do: requests in progress fail. */
/* oxlint-disable typescript/no-unsafe-argument, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-return -- plain JavaScript, that runs without a build */
import { createServer } from 'node:http';
import process from 'node:process';

const started = Date.now();
const server = createServer((request, response) => {
  response.setHeader('connection', 'close');
  response.end(`served by ${process.env.HOSTNAME}, up for ${Date.now() - started} ms\n`);
});
server.listen(8080, process.env.HOST);
process.on('SIGTERM', () => {
  process.exit(0);
});
