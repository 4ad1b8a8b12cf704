const recordLine = /(?:^|\s)(?:IN|A|AAAA|CAA|CNAME|MX|NS|PTR|SRV|TXT|DS|TLSA|HTTPS|SVCB|SOA)\s+\S/

/** Whether a pasted text is lines of a zone file, and not one value that was broken into lines. */
export const isZoneText = (text: string): boolean => {
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '')
  return lines.length > 1 && lines.some((line) => recordLine.test(line.replace(/;.*/, '')))
}
