import { z } from 'zod'

/** Keeps the readable entries of a list: registries vary a lot, and one unusual entry must not affect the others. */
const readable = <S extends z.ZodType>(item: S) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((items) =>
      items.flatMap((each) => {
        const parsed = item.safeParse(each)
        return parsed.success ? [parsed.data] : []
      }),
    )

/** RFC 9224: which registry answers for which top-level domains. `[["com"], ["https://rdap.verisign.com/com/v1/"]]` */
export const directory = z.object({
  services: z.array(z.unknown()).transform((entries) =>
    entries.flatMap((entry) => {
      const parsed = z.tuple([z.array(z.string()), z.array(z.string())], z.unknown()).safeParse(entry)
      return parsed.success ? [{ tlds: parsed.data[0], urls: parsed.data[1] }] : []
    }),
  ),
})

const event = z.object({ eventAction: z.string(), eventDate: z.string() })
const entity = z.object({
  roles: readable(z.string()),
  handle: z.string().nullish().catch(null),
  /** jCard (RFC 7095): `["vcard", [["fn", {}, "text", "Porkbun LLC"]]]` */
  vcardArray: z.unknown().optional(),
})
export type Entity = z.infer<typeof entity>

/** RFC 9083, section 5.3. */
export const domain = z.object({
  objectClassName: z.literal('domain'),
  ldhName: z.string().nullish().catch(null),
  status: readable(z.string()),
  events: readable(event),
  entities: readable(entity),
  nameservers: readable(z.object({ ldhName: z.string() })),
})
export type Domain = z.infer<typeof domain>
