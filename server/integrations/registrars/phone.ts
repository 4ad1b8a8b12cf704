/** Country codes of one and of two digits; all others have three. */
const countryCode = /^\+(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(\d{4,14})$/

/** +74951234567 as registries write it: +7.4951234567. What is no such number stays as it is. */
export const phoneOf = (phone: string): string => phone.replace(/[^+\d]/g, '').replace(countryCode, '+$1.$2')
