/** A share of good checks in hundredths of a percent, cut and not rounded: only what never failed is 100. */
export const uptimePercent = (share: number): number => Math.floor(share * 10_000 + 1e-9) / 100
