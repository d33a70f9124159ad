import type { Palette } from './palettes.ts'
import type { Random } from './random.ts'

export type Size = { readonly width: number; readonly height: number }
/** Draws the inside of an SVG of that size. */
export type Scene = (random: Random, palette: Palette, size: Size) => string

/** Hills behind hills under a low sun. */
const hills: Scene = (random, palette, { width, height }) => {
  const sunX = random.between(0.25, 0.75) * width
  const sunY = random.between(0.24, 0.36) * height
  const sunRadius = random.between(0.07, 0.12) * Math.min(width, height)
  const planes = palette.planes.map((color, index) => {
    const base = height * (0.46 + index * 0.135)
    const swing = height * (0.05 + index * 0.012)
    return `<path d="${wave(random, width, height, base, swing)}" fill="${color}"/>`
  })
  return `${backdrop(palette, 'sky')}
    <circle cx="${sunX}" cy="${sunY}" r="${sunRadius * 2.6}" fill="${palette.glow}" opacity=".45"/>
    <circle cx="${sunX}" cy="${sunY}" r="${sunRadius}" fill="${palette.accent}"/>
    ${planes.join('')}${birds(random, palette, width, height)}`
}

/** Water under an open sky, with the sun's reflection in short strokes. */
const water: Scene = (random, palette, { width, height }) => {
  const horizon = height * random.between(0.4, 0.5)
  const sunX = random.between(0.3, 0.7) * width
  const sunRadius = Math.min(width, height) * 0.12
  let strokes = ''
  for (let y = horizon + 8; y < height; y += 9 + (y - horizon) * 0.035) {
    const near = (y - horizon) / (height - horizon)
    for (let count = 0; count < 4; count++) {
      const length = random.between(0.04, 0.16) * width * (0.6 + near)
      const x = sunX + random.between(-0.5, 0.5) * width * (0.16 + near * 0.7) - length / 2
      const color = random.pick([palette.glow, palette.sky, palette.planes[0], palette.accent])
      strokes += `<rect x="${x}" y="${y}" width="${length}" height="${2 + near * 6}" rx="4" fill="${color}" opacity="${0.75 - near * 0.3}"/>`
    }
  }
  return `${backdrop(palette, 'sky')}
    <circle cx="${sunX}" cy="${horizon - sunRadius * 0.35}" r="${sunRadius}" fill="${palette.accent}"/>
    <path d="${wave(random, width, horizon + 40, horizon - height * 0.06, height * 0.03)}" fill="${palette.planes[1]}" opacity=".55"/>
    <rect y="${horizon}" width="${width}" height="${height - horizon}" fill="${palette.planes[2]}"/>
    <rect y="${horizon}" width="${width}" height="${(height - horizon) * 0.35}" fill="${palette.planes[1]}" opacity=".5"/>
    ${strokes}`
}

/** Stems and leaves on paper, as in a herbarium. */
const leaves: Scene = (random, palette, { width, height }) => {
  let stems = ''
  const count = random.whole(3, 5)
  for (let index = 0; index < count; index++) {
    const x = width * ((index + 0.5) / count) + random.between(-0.03, 0.03) * width
    const top = height * random.between(0.12, 0.3)
    const lean = random.between(-0.06, 0.06) * width
    const color = palette.planes[random.whole(1, 3)]
    stems += `<path d="M${x} ${height} Q${x + lean} ${height * 0.6} ${x + lean} ${top}" stroke="${color}" stroke-width="${width * 0.006}" fill="none"/>`
    for (let step = 0; step < 9; step++) {
      const along = step / 9
      const y = top + (height * 0.92 - top) * along
      const side = step % 2 === 0 ? 1 : -1
      const reach = width * (0.05 + 0.09 * Math.sin(Math.PI * (0.2 + along * 0.7)))
      const stemX = x + lean * (1 - along) ** 1.4
      stems += `<path d="${leaf(stemX, y, reach * side, -reach * 0.62)}" fill="${color}" opacity="${random.between(0.72, 1)}"/>`
    }
    stems += `<circle cx="${x + lean}" cy="${top}" r="${width * random.between(0.014, 0.026)}" fill="${palette.accent}"/>`
  }
  return `${backdrop(palette, 'glow')}<rect x="${width * 0.05}" y="${height * 0.05}" width="${width * 0.9}" height="${height * 0.95}" fill="${palette.sky}" opacity=".6"/>${stems}`
}

/** Arches in afternoon light, each in the shadow of the one before. */
const arches: Scene = (random, palette, { width, height }) => {
  const floor = height * random.between(0.76, 0.84)
  let shapes = ''
  for (let index = 0; index < 4; index++) {
    const inset = width * (0.08 + index * 0.095)
    const top = height * (0.1 + index * 0.085)
    const archWidth = width - inset * 2
    const radius = archWidth / 2
    const color = index === 3 ? palette.accent : palette.planes[index]
    shapes += `<path d="M${inset} ${floor} V${top + radius} A${radius} ${radius} 0 0 1 ${inset + archWidth} ${top + radius} V${floor} Z" fill="${color}"/>
      <path d="M${inset} ${floor} V${top + radius} A${radius} ${radius} 0 0 1 ${inset + radius} ${top} V${floor} Z" fill="${palette.ink}" opacity=".1"/>`
  }
  const shade = random.between(0.2, 0.55) * width
  return `${backdrop(palette, 'sky')}${shapes}
    <rect y="${floor}" width="${width}" height="${height - floor}" fill="${palette.planes[3]}"/>
    <path d="M${shade} ${floor} h${width * 0.24} L${shade + width * 0.55} ${height} h-${width * 0.42} Z" fill="${palette.glow}" opacity=".32"/>
    <circle cx="${width * 0.5}" cy="${floor - width * 0.045}" r="${width * 0.045}" fill="${palette.glow}"/>`
}

/** A set table seen from above. */
const table: Scene = (random, palette, { width, height }) => {
  const plate = (x: number, y: number, radius: number) => {
    let food = ''
    const pieces = random.whole(5, 8)
    for (let index = 0; index < pieces; index++) {
      const angle = (index / pieces) * Math.PI * 2 + random.between(-0.3, 0.3)
      const distance = radius * random.between(0.15, 0.45)
      const size = radius * random.between(0.12, 0.24)
      const color = random.pick([palette.accent, palette.planes[1], palette.planes[2], palette.planes[0]])
      food += `<ellipse cx="${x + Math.cos(angle) * distance}" cy="${y + Math.sin(angle) * distance}" rx="${size}" ry="${size * random.between(0.55, 1)}" transform="rotate(${random.between(0, 180)} ${x} ${y})" fill="${color}"/>`
    }
    return `<circle cx="${x + radius * 0.06}" cy="${y + radius * 0.1}" r="${radius * 1.02}" fill="${palette.ink}" opacity=".18"/>
      <circle cx="${x}" cy="${y}" r="${radius}" fill="${palette.glow}"/><circle cx="${x}" cy="${y}" r="${radius * 0.74}" fill="${palette.sky}"/>${food}`
  }
  const unit = Math.min(width, height)
  let stripes = ''
  for (let x = 0; x < width; x += unit * 0.09) {
    stripes += `<rect x="${x}" width="${unit * 0.012}" height="${height}" fill="${palette.planes[1]}" opacity=".35"/>`
  }
  return `<rect width="${width}" height="${height}" fill="${palette.planes[0]}"/>${stripes}
    ${plate(width * random.between(0.42, 0.52), height * 0.5, unit * 0.3)}
    ${plate(width * 0.86, height * 0.2, unit * 0.17)}${plate(width * 0.1, height * 0.84, unit * 0.19)}
    <rect x="${width * 0.84}" y="${height * 0.52}" width="${unit * 0.02}" height="${unit * 0.34}" rx="${unit * 0.01}" fill="${palette.planes[3]}"/>
    <rect x="${width * 0.89}" y="${height * 0.5}" width="${unit * 0.014}" height="${unit * 0.36}" rx="${unit * 0.007}" fill="${palette.planes[3]}"/>`
}

/** Cloth in long folds. */
const folds: Scene = (random, palette, { width, height }) => {
  let ribbons = ''
  const count = 9
  for (let index = 0; index < count; index++) {
    const x = (index / (count - 1)) * width * 1.3 - width * 0.25
    const bend = random.between(0.08, 0.22) * width
    const breadth = width * random.between(0.14, 0.26)
    const color = index === 4 ? palette.accent : palette.planes[index % 4]
    ribbons += `<path d="M${x} 0 C${x + bend} ${height * 0.33} ${x - bend} ${height * 0.66} ${x + bend * 0.6} ${height} h${breadth} C${x + breadth - bend * 0.4} ${height * 0.66} ${x + breadth + bend * 1.4} ${height * 0.33} ${x + breadth} 0 Z" fill="${color}"/>
      <path d="M${x + breadth * 0.86} 0 C${x + breadth * 0.86 + bend * 1.3} ${height * 0.33} ${x + breadth * 0.86 - bend * 0.5} ${height * 0.66} ${x + breadth * 0.86 + bend * 0.5} ${height} h${breadth * 0.14} C${x + breadth - bend * 0.4} ${height * 0.66} ${x + breadth + bend * 1.4} ${height * 0.33} ${x + breadth} 0 Z" fill="${palette.ink}" opacity=".22"/>`
  }
  return `${backdrop(palette, 'glow')}${ribbons}`
}

export const scenes = { hills, water, leaves, arches, table, folds } as const

function backdrop({ sky, glow }: Palette, kind: 'sky' | 'glow'): string {
  const [top, bottom] = kind === 'sky' ? [sky, glow] : [glow, sky]
  return `<defs><linearGradient id="back" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${top}"/><stop offset=".6" stop-color="${bottom}"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#back)"/>`
}

/** A closed line of soft crests from edge to edge, filled down to the bottom. */
function wave(random: Random, width: number, height: number, base: number, swing: number): string {
  const steps = 5
  let path = `M0 ${base + random.between(-swing, swing)}`
  for (let step = 1; step <= steps; step++) {
    const x = (step / steps) * width
    const middle = x - width / steps / 2
    path += ` Q${middle} ${base + random.between(-swing, swing) * 1.8} ${x} ${base + random.between(-swing, swing)}`
  }
  return `${path} V${height} H0 Z`
}

function leaf(x: number, y: number, reach: number, rise: number): string {
  return `M${x} ${y} C${x + reach * 0.2} ${y + rise * 0.9} ${x + reach * 0.8} ${y + rise * 1.1} ${x + reach} ${y + rise} C${x + reach * 0.9} ${y + rise * 0.2} ${x + reach * 0.5} ${y - rise * 0.1} ${x} ${y} Z`
}

function birds(random: Random, { ink }: Palette, width: number, height: number): string {
  let drawn = ''
  for (let count = random.whole(3, 6); count > 0; count--) {
    const x = random.between(0.15, 0.85) * width
    const y = random.between(0.12, 0.34) * height
    const span = random.between(0.01, 0.02) * width
    drawn += `<path d="M${x - span} ${y} Q${x - span / 2} ${y - span * 0.7} ${x} ${y} Q${x + span / 2} ${y - span * 0.7} ${x + span} ${y}" stroke="${ink}" stroke-width="${span * 0.16}" fill="none" stroke-linecap="round"/>`
  }
  return drawn
}
