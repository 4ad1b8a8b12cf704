import { Ajv2020 } from 'ajv/dist/2020.js'
import { z } from 'zod'

const response = z.union([
  z.object({ $ref: z.string() }),
  z.object({ content: z.object({ 'application/json': z.object({ schema: z.record(z.string(), z.unknown()) }) }).optional() }),
])
const openApiDocument = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.object({ responses: z.record(z.string(), response) }))),
  components: z.looseObject({ responses: z.record(z.string(), response) }),
})
export type OpenApiDocument = z.infer<typeof openApiDocument>

export interface OpenApiValidator {
  readonly document: OpenApiDocument
  /**
   * Differences between a response and its description; empty if there are none.
   * @param route `GET /zones/{id}`
   * @param body '' if there is none
   */
  validateResponse(route: string, status: number, body: unknown): unknown[]
}

/** @param given the response of `/api/openapi.json` */
export function createOpenApiValidator(given: unknown): OpenApiValidator {
  const document = openApiDocument.parse(given)
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(document, 'document')
  return {
    document,
    validateResponse(route, status, body) {
      const [method = '', path = ''] = route.split(' ')
      const responses = document.paths[path]?.[method.toLowerCase()]?.responses
      const described = responses?.[String(status)]
      if (described === undefined) return [`${route} has no ${status}`]
      const whole = '$ref' in described ? document.components.responses[described.$ref.replace('#/components/responses/', '')] : described
      const schema = whole !== undefined && 'content' in whole ? whole.content?.['application/json'].schema : undefined
      if (schema === undefined) return body === '' ? [] : ['the body is not described']
      const { $ref } = z.object({ $ref: z.string().optional() }).parse(schema)
      const validate = ajv.compile($ref === undefined ? schema : { $ref: `document${$ref}` })
      return validate(body) ? [] : (validate.errors ?? ['refused'])
    },
  }
}
