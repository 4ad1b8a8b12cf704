import type { VendorReply } from '../serve.ts'

/** @param body instead of the content's JSON, such as nothing at all */
export const jsonReply = (content: unknown, status = 200, body = JSON.stringify(content)): VendorReply => ({
  status,
  contentType: 'application/json',
  body,
})
