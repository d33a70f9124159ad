import { random } from '../../../server/demo/random.ts'
import { emptyImage, type Image, type Size } from '../render/image.ts'
import { cells, fbm, noise, ridges } from '../render/noise.ts'
import { add, clamp, hex, lerp, mix, normalize, scale, smoothstep, type Vector } from '../render/vector.ts'

/** Fills a picture from a function of x and y in heights of the picture, from its middle. */
function fill(image: Image, color: (x: number, y: number) => Vector): void {
  const { width, height, pixels } = image
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      pixels.set(color((x - width / 2) / height, (height / 2 - y) / height), (y * width + x) * 3)
}

/** A soft disk of light, added. `edge` makes its rim brighter, as lenses do. */
function addDisk(
  { width, height, pixels }: Image,
  cx: number,
  cy: number,
  radius: number,
  color: Vector,
  edge = 0,
  squeeze = 1,
): void {
  const soft = Math.max(radius * 0.06, 0.8)
  for (let y = Math.max(Math.floor(cy - radius - 1), 0); y <= Math.min(Math.ceil(cy + radius + 1), height - 1); y++)
    for (let x = Math.max(Math.floor(cx - radius - 1), 0); x <= Math.min(Math.ceil(cx + radius + 1), width - 1); x++) {
      const away = Math.hypot((x - cx) / squeeze, y - cy)
      const inside = smoothstep(radius + soft / 2, radius - soft / 2, away)
      if (inside <= 0) continue
      const rim = 1 + edge * smoothstep(radius * 0.7, radius * 0.96, away)
      for (let channel = 0; channel < 3; channel++)
        pixels[(y * width + x) * 3 + channel] += color[channel] * inside * rim
    }
}

const starColors = ['#9fb8ff', '#cfdcff', '#fff6ea', '#ffe2b8', '#ffc48a'].map(hex)

/** Stars as they are: very many faint ones, few bright ones, in the colors of their heat. */
function addStars(
  image: Image,
  count: number,
  seed: number,
  density: (x: number, y: number) => number,
  spikes = 0,
): void {
  const chance = random(seed)
  const { width, height } = image
  for (let star = 0; star < count; star++) {
    const [x, y] = [chance.between(0, width), chance.between(0, height)]
    if (chance.between(0, 1) > density((x - width / 2) / height, (height / 2 - y) / height)) continue
    const bright = 0.05 / chance.between(0.012, 1) ** 1.15
    const color = scale(starColors[Math.floor(chance.between(0, 1) ** 1.2 * starColors.length)], bright)
    const radius = Math.min(0.55 + bright * 0.28, 2.1) * (height / 900)
    addDisk(image, x, y, Math.max(radius, 0.6), color)
    if (bright < 1.6) continue
    addHalo(image, x, y, radius * 5, scale(color, 0.035))
    if (spikes > 0) addSpikes(image, x, y, bright * spikes * (height / 900), scale(color, 0.5))
  }
}

function addHalo(image: Image, cx: number, cy: number, radius: number, color: Vector): void {
  const { width, height, pixels } = image
  for (let y = Math.max(Math.floor(cy - radius * 2), 0); y <= Math.min(cy + radius * 2, height - 1); y++)
    for (let x = Math.max(Math.floor(cx - radius * 2), 0); x <= Math.min(cx + radius * 2, width - 1); x++) {
      const glow = Math.exp(-(((x - cx) ** 2 + (y - cy) ** 2) / radius ** 2) * 2)
      for (let channel = 0; channel < 3; channel++) pixels[(y * width + x) * 3 + channel] += color[channel] * glow
    }
}

function addSpikes({ width, height, pixels }: Image, cx: number, cy: number, reach: number, color: Vector): void {
  for (let step = -reach * 6; step <= reach * 6; step += 0.5)
    for (const [x, y] of [
      [cx + step, cy],
      [cx, cy + step],
    ]) {
      const [px, py] = [Math.round(x), Math.round(y)]
      if (px < 0 || py < 0 || px >= width || py >= height) continue
      const share = Math.max(1 - Math.abs(step) / (reach * 6), 0) ** 3 * 0.4
      for (let channel = 0; channel < 3; channel++) pixels[(py * width + px) * 3 + channel] += color[channel] * share
    }
}

/** The Milky Way over a dark ridge, with a tent that glows. */
export function milkyWay(
  size: Size,
  { seed = 1, slant = 0.62, tent = true, warm = '#ffb36b', cold = '#16233f' } = {},
): Image {
  const image = emptyImage(size)
  const [sin, cos] = [Math.sin(slant), Math.cos(slant)]
  const across = (x: number, y: number) => x * cos - y * sin + 0.05 * fbm(x * 1.4, y * 1.4, seed, 3)
  const along = (x: number, y: number) => x * sin + y * cos
  const dust = (x: number, y: number) => ridges(along(x, y) * 1.5 + seed, across(x, y) * 3.4, seed, 6, 0.55)
  const band = (x: number, y: number) =>
    Math.exp(-((across(x, y) / 0.17) ** 2)) * (0.75 + 0.25 * fbm(x * 3, y * 3, seed, 4))
  fill(image, (x, y) => {
    const height = y + 0.5
    const air = mix(hex('#3d4d63'), hex(cold), smoothstep(0, 0.75, height))
    const glow = mix(scale(hex('#7a6a6f'), 0.8), air, smoothstep(0.05, 0.42, height))
    const core = band(x, y) * (0.55 + 0.6 * Math.exp(-(((along(x, y) + 0.12) / 0.4) ** 2)))
    const dark = smoothstep(0.34, 0.85, dust(x, y)) * Math.exp(-((across(x, y) / 0.085) ** 2))
    const cloud = mix(hex('#6e7fb5'), hex('#e8c9a6'), clamp(core + 0.4 * fbm(x * 4, y * 4, seed + 3, 4)))
    const red = smoothstep(0.25, 0.6, fbm(x * 5, y * 5, seed + 9, 4)) * core * 0.16
    return add(add(scale(glow, 0.2), scale(cloud, 0.5 * core * (1 - dark * 0.86))), scale(hex('#d84a5a'), red))
  })
  addStars(
    image,
    Math.round(size.width * size.height * 0.012),
    seed,
    (x, y) => 0.28 + 0.72 * band(x, y) * (1 - 0.6 * smoothstep(0.4, 0.9, dust(x, y))),
  )
  addRidge(image, seed, tent, hex(warm))
  return image
}

function addRidge(image: Image, seed: number, tent: boolean, warm: Vector): void {
  const { width, height, pixels } = image
  for (let x = 0; x < width; x++) {
    const u = (x - width / 2) / height
    const top = 0.77 + 0.09 * fbm(u * 1.5 + seed, seed, 0, 4) - 0.02 * ridges(u * 9, seed, 0, 3)
    for (let y = Math.floor(top * height); y < height; y++) {
      const below = y / height - top
      const stone = 0.012 + 0.018 * fbm(u * 14, below * 22, seed, 5)
      const lit = tent
        ? Math.exp(-(((u - 0.13) / 0.16) ** 2) - ((below - 0.05) / 0.09) ** 2) *
          (0.7 + 0.6 * fbm(u * 30, below * 40, seed, 4))
        : 0
      const share = smoothstep(0, 1.5, y - top * height)
      for (let channel = 0; channel < 3; channel++) {
        const at = (y * width + x) * 3 + channel
        pixels[at] = lerp(
          pixels[at],
          Math.max(stone, 0.004) * [0.75, 0.9, 1.25][channel] + warm[channel] * lit * 0.16,
          share,
        )
      }
    }
  }
  if (!tent) return
  const [cx, foot, tall] = [0.13, -0.345, 0.085]
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const u = ((x - width / 2) / height - cx) / tall
      const v = ((height / 2 - y) / height - foot) / tall
      if (v < 0 || v > 1 || Math.abs(u) > (1 - v ** 1.7) * 1.15) continue
      const seam = smoothstep(0.05, 0.012, Math.abs(u + 0.05 * v))
      const lamp = Math.exp(-((u * 0.9) ** 2) - (v - 0.25) ** 2 * 1.8)
      const color = scale(warm, (0.28 + 1.5 * lamp) * (1 - seam * 0.6) * (0.9 + 0.15 * noise(u * 5, v * 7)))
      pixels.set(color, (y * width + x) * 3)
    }
}

/** A cloud of gas among stars: glowing folds, dark lanes, blue light where it is thin. */
export function nebula(size: Size, { seed = 1, gas = '#e0566a', thin = '#4f8fd8', hot = '#ffdcae' } = {}): Image {
  const image = emptyImage(size)
  const [red, blue, white] = [hex(gas), hex(thin), hex(hot)]
  fill(image, (x, y) => {
    const [px, py] = [x * 1.7 + seed * 3.3, y * 1.7]
    const wx = fbm(px, py, seed, 5)
    const wy = fbm(px + 5.2, py + 1.3, seed, 5)
    const folds = ridges(px + wx * 1.1, py + wy * 1.1, seed, 7, 0.56)
    const body = smoothstep(-0.35, 0.6, fbm(px * 0.7 + wy, py * 0.7 + wx, seed + 2, 5) + 0.35 - (x * x + y * y) * 1.5)
    const lanes = smoothstep(0.4, 0.95, ridges(px * 1.4 - wy, py * 1.4 + wx, seed + 5, 6)) * 0.9
    const heart = Math.exp(-((x - 0.06) ** 2 + (y - 0.05) ** 2) / 0.02)
    let color = add(
      scale(red, 0.75 * body * folds * folds * 1.7),
      scale(blue, 0.28 * smoothstep(0.1, 0.8, body) * (1 - folds) + 0.03),
    )
    color = add(color, scale(white, 0.95 * heart * (0.4 + folds)))
    return scale(color, 1 - lanes * (0.35 + 0.5 * body))
  })
  addStars(image, Math.round(size.width * size.height * 0.006), seed + 1, () => 0.6, 2.2)
  return image
}

/** The moon at half phase: seas, and craters that are long shadows near the edge of the light. */
export function moon(size: Size, { seed = 1, phase = 0.28, zoom = 0.43 } = {}): Image {
  const image = emptyImage(size)
  const light = normalize([Math.cos(phase), 0.25, Math.sin(phase) * 0.55])
  const pits = [2.2, 4.6, 9, 18, 34]
  const relief = (p: Vector) => {
    let height = 0.09 * fbm(p[0] * 4, p[1] * 4, p[2] * 4 + seed, 6, 0.55)
    for (const pit of pits) {
      const { nearest, id } = cells(p[0] * pit + seed, p[1] * pit, p[2] * pit)
      if (id < 0.25) continue
      const r = nearest / (0.18 + 0.24 * id)
      height += (0.17 / pit) * (r < 1 ? r * r * 1.5 - 1.1 : 0.4 * Math.exp(-(r - 1) * 5))
    }
    return height
  }
  fill(image, (x, y) => {
    const away = Math.hypot(x, y) / zoom
    if (away > 1) return scale([0.72, 0.8, 1], 0.012 * Math.exp(-(away - 1) * 3) + 0.0015)
    const p: Vector = [x / zoom, y / zoom, Math.sqrt(1 - away * away)]
    const e = 0.0035
    const here = relief(p)
    const g = [
      relief([p[0] + e, p[1], p[2]]) - here,
      relief([p[0], p[1] + e, p[2]]) - here,
      relief([p[0], p[1], p[2] + e]) - here,
    ]
    const along = (g[0] * p[0] + g[1] * p[1] + g[2] * p[2]) / e
    const n = normalize([
      p[0] - (g[0] / e - along * p[0]),
      p[1] - (g[1] / e - along * p[1]),
      p[2] - (g[2] / e - along * p[2]),
    ])
    const seas = smoothstep(-0.05, 0.25, fbm(p[0] * 1.5 + seed, p[1] * 1.5, p[2] * 1.5, 5) + 0.12 * p[1])
    const rays = 0.08 * smoothstep(0.5, 0.8, ridges(p[0] * 5, p[1] * 5, p[2] * 5 + seed, 3))
    const gray = lerp(0.52, 0.25, seas) + rays + 0.05 * noise(p[0] * 60, p[1] * 60, p[2] * 60)
    const lit = Math.max(n[0] * light[0] + n[1] * light[1] + n[2] * light[2], 0)
    const limb = smoothstep(-0.05, 0.1, p[0] * light[0] + p[1] * light[1] + p[2] * light[2])
    return scale([1, 0.96, 0.9], gray * lit ** 0.8 * limb * 1.5 + 0.003)
  })
  addStars(image, 500, seed, (x, y) => (Math.hypot(x, y) > zoom + 0.04 ? 0.16 : 0))
  return image
}

/** An hour of turning stars above a cabin's ridge. */
export function starTrails(size: Size, { seed = 1, pole = [0.08, 0.16] as readonly [number, number] } = {}): Image {
  const image = emptyImage(size)
  fill(image, (_x, y) => scale(mix(hex('#31456a'), hex('#0a1330'), smoothstep(-0.3, 0.5, y)), 0.4))
  const chance = random(seed)
  const { width, height, pixels } = image
  for (let star = 0; star < 900; star++) {
    const radius = Math.sqrt(chance.between(0.0003, 1)) * 1.3
    const from = chance.between(0, Math.PI * 2)
    const arc = 0.62
    const bright = Math.min(0.03 / chance.between(0.02, 1) ** 0.9, 0.9)
    const color = scale(starColors[chance.whole(0, 4)], bright)
    const steps = Math.ceil(radius * arc * height * 1.4)
    for (let step = 0; step < steps; step++) {
      const angle = from + (arc * step) / steps
      const x = (pole[0] + Math.cos(angle) * radius) * height + width / 2
      const y = height / 2 - (pole[1] + Math.sin(angle) * radius) * height
      const [ix, iy] = [Math.floor(x), Math.floor(y)]
      for (const [px, py] of [
        [ix, iy],
        [ix + 1, iy],
        [ix, iy + 1],
        [ix + 1, iy + 1],
      ]) {
        if (px < 0 || py < 0 || px >= width || py >= height) continue
        const share = (1 - Math.abs(x - px)) * (1 - Math.abs(y - py)) * 0.8
        for (let channel = 0; channel < 3; channel++) pixels[(py * width + px) * 3 + channel] += color[channel] * share
      }
    }
  }
  addRidge(image, seed + 4, true, hex('#ffb36b'))
  return image
}

/** A street at night far out of focus: lamps, shop windows, brake lights, and their reflections on wet tarmac. */
export function bokeh(
  size: Size,
  {
    seed = 1,
    wet = true,
    line = -0.06,
    palette = ['#ffb25e', '#ff7a3c', '#ff3b4d', '#5fb6ff', '#53e0c8', '#ffe6b0', '#d46bff'],
  } = {},
): Image {
  const image = emptyImage(size)
  const chance = random(seed)
  const { width, height } = size
  const colors = palette.map(hex)
  fill(image, (x, y) => {
    const sky = mix(hex('#2b3a5c'), hex('#0a0e1c'), smoothstep(-0.1, 0.5, y))
    const houses = smoothstep(0.1, -0.2, fbm(Math.floor(x * 9) * 0.7, 0.3, seed, 2) * 0.5 + y - 0.2)
    const haze = scale(hex('#c0704a'), 0.1 * Math.exp(-(((y - line) / 0.13) ** 2)))
    return add(scale(mix(sky, hex('#07090f'), houses * 0.7), 0.35), haze)
  })
  for (let lamp = 0; lamp < 150; lamp++) {
    const depth = chance.between(0, 1) ** 0.6
    const x = width / 2 + chance.between(-0.75, 0.75) * width * lerp(1.1, 0.5, depth)
    const rise = lerp(0.4, 0.05, depth) * chance.between(0.02, 1)
    const y = height * (0.5 - line - rise)
    const radius = height * lerp(0.05, 0.011, depth) * chance.between(0.75, 1.15)
    const color = scale(colors[chance.whole(0, colors.length - 1)], chance.between(0.12, 0.75) * lerp(0.55, 1.4, depth))
    addDisk(image, x, y, radius, color, 0.45, lerp(0.86, 1, 1 - Math.abs(x / width - 0.5) * 0.8))
    if (wet) {
      const mirrored = height * (0.5 - line + rise * 0.75 + 0.02)
      for (let part = 0; part < 6; part++)
        addDisk(
          image,
          x + chance.between(-6, 6),
          mirrored + part * radius * 0.9,
          radius * 0.9,
          scale(color, 0.17 * (1 - part / 7)),
          0.1,
        )
    }
  }
  for (let window = 0; window < 120; window++) {
    const [x, y] = [chance.between(0, width), height * (0.5 - line) - chance.between(0.03, 0.5) * height]
    addDisk(
      image,
      x,
      y,
      height * 0.008 * chance.between(0.7, 1.4),
      scale(hex('#ffc98a'), chance.between(0.05, 0.4)),
      0.3,
    )
  }
  return image
}
