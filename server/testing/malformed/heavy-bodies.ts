/** Bodies of the maximum size that need as much memory as possible when parsed: path and body of each. */
export function heavyBodies(): Readonly<Record<string, readonly [path: string, body: string]>> {
  const objects = `[${'{},'.repeat(2_790_000)}{}]`
  const nested = '{"a":'.repeat(1_300_000)
  const fields = `{${Array.from({ length: 700_000 }, (_, n) => `"${n.toString(36)}":1`).join()}}`
  return {
    'objects for a procedure that is not there': ['/trpc/accounts.nothing', objects],
    'objects for a text': ['/trpc/accounts.addMany', `{"text":${objects}}`],
    'objects for ids': ['/trpc/operations.bulkDelete', `{"ids":${objects}}`],
    'objects for records': ['/trpc/operations.previewChange', `{"id":"x","change":{"kind":"records","creates":${objects}}}`],
    'objects in a batch': ['/trpc/operations.preview,operations.preview?batch=1', `{"0":{"ids":${objects}}}`],
    'objects for an email': ['/trpc/auth.login', `{"email":${objects}}`],
    'lists within lists': ['/trpc/accounts.addMany', '['.repeat(8_300_000)],
    'objects within objects': ['/trpc/accounts.addMany', nested],
    'objects for ids, over REST': ['/api/zones/bulk-delete', `{"ids":${objects}}`],
    'objects for records, over REST': ['/api/zones/bulk-dns', `{"ids":["x"],"add":${objects}}`],
    'fields that are not known': ['/api/zones/bulk-dns', fields],
    'objects within objects, over REST': ['/api/zones/bulk-dns', nested],
    'as many objects as a list may have': ['/api/zones/bulk-delete', `{"ids":[${'{},'.repeat(99_999)}{}]}`],
    'as many records as a list may have': [
      '/trpc/operations.previewChange',
      `{"id":"x","change":{"kind":"records","creates":[${'{},'.repeat(4_999)}{}]}}`,
    ],
  }
}
