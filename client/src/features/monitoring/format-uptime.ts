import { formatNumber } from '#client/lib/format.ts'

/** 99.98 %, cut and not rounded: only what never failed is 100 %. */
export function formatUptime(share: number | null): string {
  if (share === null) return '–'
  return `${formatNumber(Math.floor(share * 10_000) / 100)} %`
}
