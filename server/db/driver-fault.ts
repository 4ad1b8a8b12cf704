/**
 * The driver (postgres 3.4.9) may write to a connection in the moment after it was closed, where nobody can catch it
 * (https://github.com/porsager/postgres/issues/1154). It is harmless: the transaction that the words were of was rejected when its
 * connection was closed.
 */
export const isDriverFault = (error: unknown): boolean =>
  error instanceof TypeError &&
  (error.stack ?? '')
    .split('\n')
    .some((line) => line.includes('nextWrite') && /[\\/]postgres[\\/]/.test(line) && line.includes('connection.js'))
