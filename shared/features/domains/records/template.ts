const placeholder = /\{\{\s*(domain|value)\s*\}\}/gi
const valuePlaceholder = /\{\{\s*value\s*\}\}/i

export interface TemplateValues {
  readonly domain: string
  /** The domain's own value, where there is one. */
  readonly value?: string | undefined
}

/** Whether the text needs a value of each domain. */
export const usesValue = (text: string): boolean => valuePlaceholder.test(text)

/** `{{domain}}` and `{{value}}` replaced, in one pass: what a value says is not read again. An absent value stays as it was written. */
export const fillTemplate = (text: string, { domain, value }: TemplateValues): string =>
  text.replaceAll(placeholder, (whole, name: string) => (name.toLowerCase() === 'domain' ? domain : (value ?? whole)))

/** A record as it was given, for one domain. */
export const fillRecord = <Given extends { readonly name: string; readonly content: string; readonly comment?: string | undefined }>(
  record: Given,
  values: TemplateValues,
): Given => ({
  ...record,
  name: fillTemplate(record.name, values),
  content: fillTemplate(record.content, values),
  ...(record.comment === undefined ? {} : { comment: fillTemplate(record.comment, values) }),
})
