import { crc32, deflateSync, inflateSync } from 'node:zlib'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const colors = 256

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner
}

/** The pixels of an 8-bit RGB or RGBA image, three or four bytes each. */
function decode(png: Buffer): { readonly width: number; readonly height: number; readonly depth: number; readonly pixels: Buffer } {
  const parts: Buffer[] = []
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  }
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const depth = png[25] === 6 ? 4 : 3
  const raw = inflateSync(Buffer.concat(parts))
  const stride = width * depth
  const pixels = Buffer.alloc(stride * height)
  for (let row = 0; row < height; row += 1) {
    const filter = raw[row * (stride + 1)] ?? 0
    for (let column = 0; column < stride; column += 1) {
      const at = row * stride + column
      const left = column < depth ? 0 : (pixels[at - depth] ?? 0)
      const up = row === 0 ? 0 : (pixels[at - stride] ?? 0)
      const corner = row === 0 || column < depth ? 0 : (pixels[at - stride - depth] ?? 0)
      const add = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0
      pixels[at] = ((raw[row * (stride + 1) + 1 + column] ?? 0) + add) & 255
    }
  }
  return { width, height, depth, pixels }
}

/** Reduces the image to its 256 most frequent colors (at 5 bits per channel); a screen has few, so the loss is invisible. */
export function smallPng(png: Buffer): Buffer {
  const { width, height, depth, pixels } = decode(png)
  const bins = new Map<number, { count: number; red: number; green: number; blue: number }>()
  const colorAt = (at: number) => [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0] as const
  const binOf = ([red, green, blue]: readonly [number, number, number]) => ((red >> 3) << 10) | ((green >> 3) << 5) | (blue >> 3)
  for (let at = 0; at < pixels.length; at += depth) {
    const color = colorAt(at)
    const bin = bins.get(binOf(color)) ?? { count: 0, red: 0, green: 0, blue: 0 }
    bins.set(binOf(color), { count: bin.count + 1, red: bin.red + color[0], green: bin.green + color[1], blue: bin.blue + color[2] })
  }
  const palette = [...bins.values()]
    .toSorted((a, b) => b.count - a.count)
    .slice(0, colors)
    .map(({ count, red, green, blue }) => [Math.round(red / count), Math.round(green / count), Math.round(blue / count)] as const)
  const nearest = new Map<number, number>()
  const indexOf = (color: readonly [number, number, number]) => {
    const bin = binOf(color)
    const known = nearest.get(bin)
    if (known !== undefined) return known
    const distances = palette.map(([red, green, blue]) => (red - color[0]) ** 2 + (green - color[1]) ** 2 + (blue - color[2]) ** 2)
    const index = distances.indexOf(Math.min(...distances))
    nearest.set(bin, index)
    return index
  }
  const rows = Buffer.alloc((width + 1) * height)
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      rows[row * (width + 1) + 1 + column] = indexOf(colorAt((row * width + column) * depth))
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
