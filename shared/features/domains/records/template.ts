const placeholder = /\{\{\s*(domain|value)\s*\}\}/gi
const valuePlaceholder = /\{\{\s*value\s*\}\}/i

export interface TemplateValues {
  readonly domain: string
  /** The domain's own value, if it has one. */
  readonly value?: string | undefined
}

/** Whether the text needs a value for each domain. */
export const usesValue = (text: string): boolean => valuePlaceholder.test(text)

/** Replaces `{{domain}}` and `{{value}}` in one pass, so that values are not expanded again. A placeholder without a value stays. */
export const fillTemplate = (text: string, { domain, value }: TemplateValues): string =>
  text.replaceAll(placeholder, (whole, name: string) => (name.toLowerCase() === 'domain' ? domain : (value ?? whole)))

/** The given record for one domain. */
export const fillRecord = <Given extends { readonly name: string; readonly content: string; readonly comment?: string | undefined }>(
  record: Given,
  values: TemplateValues,
): Given => ({
  ...record,
  name: fillTemplate(record.name, values),
  content: fillTemplate(record.content, values),
  ...(record.comment === undefined ? {} : { comment: fillTemplate(record.comment, values) }),
})
