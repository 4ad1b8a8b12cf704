/** Separate from the schema, because the form loads no schemas. */

/** In days, as Cloudflare permits them. */
export const originValidities = [7, 30, 90, 365, 730, 1095, 5475] as const
export const originKeyTypes = ['rsa', 'ecc'] as const
export const mostHostnames = 200
