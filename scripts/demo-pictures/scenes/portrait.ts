import { random } from '../../../server/demo/random.ts'
import type { Image, Size } from '../render/image.ts'
import { fbm, noise } from '../render/noise.ts'
import { Stage, type Surface } from '../render/stage.ts'
import { photograph } from '../render/trace.ts'
import { hex, mix, scale, smoothstep, type Vector } from '../render/vector.ts'
import { linen, matt, metal, wool } from '../shapes/materials.ts'
import { ball, blend, carve, egg, type Field, limb, polygonize } from '../shapes/polygonize.ts'
import { sphere, tube } from '../shapes/solids.ts'

export type Hair = 'short' | 'crop' | 'long' | 'bob' | 'bun' | 'curls' | 'waves' | 'bald' | 'afro' | 'scarf'

export type Face = {
  readonly seed: number
  readonly skin: string
  readonly hair: Hair
  readonly hairColor: string
  readonly clothes: string
  readonly cut?: 'round' | 'collar' | 'turtle' | 'v'
  readonly backdrop: string
  readonly eyes?: string
  readonly beard?: 'stubble' | 'full'
  readonly glasses?: string
  readonly earrings?: boolean
  /** To the left (negative) or right, in degrees. */
  readonly turned?: number
  readonly nod?: number
  readonly smile?: number
  /** Broad (positive) or narrow. */
  readonly width?: number
  readonly age?: number
  readonly light?: 'window' | 'evening' | 'studio' | 'rim'
}

const headHigh: Vector = [1.15, 1.5, 1.3]

/** A stylized head with shoulders in soft light, before a blurred room. The head is about two high; the chin is at -1. */
export function portrait(size: Size, face: Face, paths = 14): Image {
  const stage = new Stage()
  const { turned = 0, nod = 0 } = face
  const pose = { turned: [nod, turned, 0] as Vector, at: [0, 0, 0] as Vector }
  const skin = skinOf(face)
  stage.add(polygonize(headField(face), [-1.25, -1.75, -1.3], headHigh, 0.032), skin, pose)
  addEyes(stage, face, pose)
  addHair(stage, face, pose)
  addBody(stage, face, skin)
  if (face.glasses) addGlasses(stage, face.glasses, pose)
  if (face.earrings)
    for (const side of [-1, 1])
      stage.add(sphere(0.06, 20), metal('#e7b85a', 0.18), placed(pose, [side * 0.86, -0.36, -0.08]))
  lightUp(stage, face)
  stage.camera = { from: [0.12, -0.12, 8.6], to: [0, -0.12, 0], angle: 24.5, lens: 0.2, focus: [0, 0, 0.75] }
  return photograph(stage, { ...size, paths, bounces: 4 })
}

/** A place on the turned head. */
function placed({ turned: [nod, turned] }: { turned: Vector }, [x, y, z]: Vector) {
  const [a, b] = [(nod * Math.PI) / 180, (turned * Math.PI) / 180]
  const [y1, z1] = [y * Math.cos(a) - z * Math.sin(a), y * Math.sin(a) + z * Math.cos(a)]
  return {
    at: [x * Math.cos(b) + z1 * Math.sin(b), y1, -x * Math.sin(b) + z1 * Math.cos(b)] as Vector,
    turned: [nod, turned, 0] as Vector,
  }
}

const eyeAt = (width: number): Vector => [0.33 * width, 0.06, 0.59]

function headField(face: Face): Field {
  const { smile = 0.5, width = 0, age = 0.3 } = face
  const chance = random(face.seed)
  const w = 1 + width * 0.1
  const jaw = chance.between(0.42, 0.52) * w
  const noseLong = chance.between(-0.02, 0.05)
  const noseWide = chance.between(0.115, 0.15)
  const cheeks = chance.between(0.02, 0.07)
  const lips = chance.between(0.85, 1.15)
  const brow = chance.between(0.01, 0.05)
  const [ex, ey, ez] = eyeAt(w)
  return (x, y, z) => {
    const m = Math.abs(x)
    // Skull, face, and jaw.
    let d = egg(x, y - 0.3, z + 0.08, 0.8 * w, 0.86, 0.92)
    d = blend(d, egg(x, y + 0.22, z - 0.14, 0.66 * w, 0.74, 0.66), 0.25)
    d = blend(d, egg(x, y + 0.66, z - 0.34, jaw, 0.3, 0.36), 0.28)
    d = blend(d, ball(x, y + 0.87, z - 0.5, 0.15), 0.22)
    // Cheekbones, and cheeks that a smile lifts.
    d = blend(d, egg(m - 0.43 * w, y + 0.2 - smile * 0.05, z - 0.5, 0.19, 0.15, 0.16 + cheeks), 0.2)
    // Neck.
    d = blend(d, limb(x, y, z, [0, -0.75, -0.12], [0, -1.75, -0.3], 0.4, 0.46), 0.16)
    // Sockets and brows.
    d = carve(d, egg(m - ex, y - ey - 0.01, z - 0.92, 0.24, 0.13, 0.2), 0.16)
    d = blend(d, limb(m, y, z, [0.14, 0.24, 0.74 + brow], [0.5 * w, 0.25, 0.6 + brow], 0.055, 0.045), 0.12)
    // Nose: bridge, tip, wings.
    d = blend(d, limb(x, y, z, [0, 0.16, 0.76], [0, -0.2 - noseLong, 0.94], 0.065, 0.1), 0.09)
    d = blend(d, ball(x, y + 0.235 + noseLong, z - 0.95, 0.115), 0.07)
    d = blend(d, egg(m - noseWide, y + 0.27 + noseLong, z - 0.855, 0.075, 0.065, 0.09), 0.06)
    d = carve(d, egg(m - 0.062, y + 0.335 + noseLong, z - 0.93, 0.035, 0.022, 0.05), 0.03)
    // Mouth: a mound, lips, and the line between them.
    const rise = smile * (0.1 * m * m * 5 - 0.012)
    const my = y + 0.52 + noseLong * 0.6 - rise
    d = blend(d, egg(x, y + 0.53, z - 0.7, 0.3, 0.2, 0.12), 0.14)
    d = blend(d, egg(m - 0.065, my - 0.042, z - 0.81 + m * m * 0.9, 0.125, 0.04 * lips, 0.06), 0.045)
    d = blend(d, egg(x, my + 0.05, z - 0.815 + m * m * 0.8, 0.17, 0.052 * lips, 0.065), 0.05)
    d = carve(d, egg(x, my - 0.004, z - 0.88 + m * m * 1.0, 0.25, 0.011, 0.075), 0.024)
    d = carve(d, ball(m - 0.27, my - 0.01, z - 0.74, 0.018), 0.05)
    // Smile lines, deeper with the years.
    const fold = limb(m, y, z, [0.2, -0.28, 0.84], [0.33, -0.52, 0.68], 0.012, 0.012)
    d = carve(d, fold, 0.03 + 0.05 * age + 0.03 * smile)
    // Ears.
    d = blend(d, egg(m - 0.83 * w, y + 0.06, z + 0.08, 0.07, 0.24, 0.14), 0.07)
    d = carve(d, egg(m - 0.9 * w, y + 0.03, z + 0.02, 0.06, 0.13, 0.07), 0.05)
    // Lids: a shell around the eyeballs, open in the middle.
    const ball0 = ball(m - ex, y - ey, z - ez, 0.196)
    const opening =
      Math.abs(y - ey - 0.004 - 0.02 * smoothstep(0.3, -0.1, m - ex)) -
      (0.082 - smile * 0.014) +
      (m - ex) * (m - ex) * 2.1
    const lids = Math.max(ball0, -opening)
    d = blend(d, lids, 0.035)
    return carve(d, Math.max(ball(m - ex, y - ey, z - ez, 0.176), opening - 0.004), 0.012)
  }
}

function skinOf(face: Face): Surface {
  const base = hex(face.skin)
  const red = mix(base, hex('#b03a30'), 0.32)
  const lip = mix(scale(base, 0.8), hex('#a33a3c'), 0.5)
  const dark = scale(mix(base, hex(face.hairColor), 0.7), 0.9)
  const { width = 0, smile = 0.5, age = 0.3 } = face
  const [ex] = eyeAt(1 + width * 0.1)
  return {
    color: ({ x, y, z }) => {
      const m = Math.abs(x)
      const front = smoothstep(0.3, 0.6, z)
      const blush =
        front *
        (Math.exp(-((m - 0.45) ** 2 + (y + 0.2) ** 2) / 0.035) * 0.75 +
          Math.exp(-(x * x + (y + 0.23) ** 2) / 0.02) * 0.55)
      const ear = smoothstep(0.76, 0.86, m) * 0.5
      let color = mix(base, red, Math.min(blush + ear, 0.8) + 0.06 * fbm(x * 9, y * 9, z * 9, 3))
      color = scale(
        color,
        1 +
          0.05 * fbm(x * 3, y * 3, z * 3, 3) -
          0.1 * front * Math.exp(-((m - ex) ** 2 + (y + 0.1) ** 2) / 0.018) * (0.3 + age),
      )
      const rise = smile * (0.5 * m * m - 0.012)
      const my = y + 0.53 - rise
      const lips =
        front *
        smoothstep(0.27, 0.19, m) *
        smoothstep(0.098 - m * 0.1, 0.068 - m * 0.1, Math.abs(my)) *
        smoothstep(0.6, 0.7, z)
      color = mix(color, lip, lips * 0.85)
      color = mix(
        color,
        scale(lip, 0.25),
        front * smoothstep(0.26, 0.2, m) * smoothstep(0.014, 0.004, Math.abs(my - 0.002)),
      )
      const brow = browAt(m, y, face) * smoothstep(0.35, 0.5, z)
      color = mix(color, scale(hex(face.hairColor), 0.6), brow)
      return mix(color, dark, beardAt(x, y, z, face, lips))
    },
    rough: 0.52,
    coat: 0.75,
    soft: 0.3,
    relief: (x, y, z) => 0.003 * noise(x * 42, y * 42, z * 42) + 0.002 * noise(x * 19, y * 19, z * 19),
    reliefStep: 0.01,
  }
}

function browAt(m: number, y: number, face: Face): number {
  const arch = 0.265 + 0.05 * Math.sin(((m - 0.13) / 0.4) * Math.PI) - (m - 0.3) * 0.03
  const thick = 0.034 * (1 - smoothstep(0.32, 0.58, m) * 0.7)
  const hairs = 0.75 + 0.5 * noise(m * 70 - y * 60, y * 25, face.seed)
  return (
    smoothstep(0.12, 0.17, m) *
    smoothstep(0.6, 0.5, m) *
    smoothstep(thick, thick * 0.45, Math.abs(y - arch)) *
    Math.min(hairs, 1) *
    0.92
  )
}

function beardAt(x: number, y: number, z: number, face: Face, lips: number): number {
  if (!face.beard) return 0
  const m = Math.abs(x)
  const jaw =
    smoothstep(-0.3, -0.48, y - m * 0.28 + 0.02 * noise(x * 9, y * 9)) *
    smoothstep(-0.35, 0.0, z) *
    smoothstep(-1.15, -0.98, y)
  const moustache = smoothstep(0.3, 0.22, m) * smoothstep(0.09, 0.05, Math.abs(y + 0.415)) * smoothstep(0.5, 0.6, z)
  const grain = 0.75 + 0.5 * noise(x * 55, y * 55, z * 55)
  return Math.max(jaw, moustache) * (1 - lips) * Math.min(grain, 1) * (face.beard === 'full' ? 0.9 : 0.42)
}

function addEyes(stage: Stage, face: Face, pose: { turned: Vector }): void {
  const [ex, ey, ez] = eyeAt(1 + (face.width ?? 0) * 0.1)
  const iris = hex(face.eyes ?? '#5a3a22')
  // They look into the camera, whichever way the head is turned.
  const gaze = -(face.turned ?? 0) * 0.95
  const lift = -(face.nod ?? 0) * 0.9
  for (const side of [-1, 1]) {
    const surface: Surface = {
      color: ({ x, y, z }) => {
        const away = Math.hypot(x, y)
        if (z < 0) return [0.75, 0.71, 0.68]
        const ring = smoothstep(0.094, 0.086, away)
        const pupil = smoothstep(0.043, 0.037, away)
        const threads = 0.75 + 0.5 * noise(Math.atan2(y, x) * 9, away * 22, side)
        const color = mix(scale(iris, threads * (1.5 - away * 6)), scale(iris, 0.2), smoothstep(0.07, 0.092, away))
        const white = mix([0.82, 0.79, 0.76], [0.72, 0.5, 0.45], smoothstep(0.1, 0.19, away) * 0.5)
        return mix(mix(white, color, ring), [0.006, 0.005, 0.005], pupil)
      },
      rough: 0.04,
      coat: 1.2,
    }
    const { at } = placed(pose, [side * ex, ey, ez])
    stage.add(sphere(0.182, 40), surface, { at, turned: [pose.turned[0] + lift, pose.turned[1] + gaze - side * 2, 0] })
  }
}

function addHair(stage: Stage, face: Face, pose: { turned: Vector; at: Vector }): void {
  const { hair } = face
  if (hair === 'bald') return
  const base = hex(face.hairColor)
  const strands = (x: number, y: number, z: number) => {
    const around = Math.atan2(x, z + 0.1)
    return hair === 'curls' || hair === 'afro'
      ? 0.03 * noise(x * 13, y * 13, z * 13) + 0.02 * noise(x * 27, y * 27, z * 27)
      : 0.016 * noise(around * 26 + fbm(x * 2, y * 2, z * 2, 2) * 3, y * 1.6, Math.hypot(x, z) * 3) +
          0.007 * noise(around * 70, y * 3, z * 2)
  }
  const surface: Surface =
    hair === 'scarf'
      ? linen(face.hairColor, { pitch: 0.03, sheen: 0.2, worn: 0.04 })
      : {
          color: ({ x, y, z }) => scale(base, 0.85 + 14 * strands(x, y, z) + 0.2 * fbm(x * 3, y * 3, z * 3, 2)),
          rough: hair === 'afro' || hair === 'curls' ? 0.75 : 0.42,
          coat: hair === 'afro' || hair === 'curls' ? 0.5 : 1,
          sheen: 0.15,
          relief: strands,
          reliefStep: 0.006,
        }
  stage.add(polygonize(hairField(face), [-1.7, -2.1, -1.75], [1.7, 1.95, 1.35], 0.036), surface, pose)
}

/** Where hair ends over the forehead and beside the face. */
function hairField(face: Face): Field {
  const { hair, seed, width = 0 } = face
  const w = 1 + width * 0.1
  const chance = random(seed + 5)
  const part = chance.between(-0.3, 0.3)
  const fringe = chance.between(0.5, 0.62)
  const scalp = (x: number, y: number, z: number, by: number) =>
    egg(x, y - 0.3, z + 0.1, 0.8 * w + by, 0.86 + by * 1.15, 0.92 + by)
  const open = (x: number, y: number, z: number, line: number, side: number) => {
    const m = Math.abs(x)
    // The face: below the hairline, in front of the ears.
    const top = line + 0.1 * Math.cos(x * 2.4) - 0.06 * Math.abs(x - part)
    return Math.max(y - top, -(z - 0.1 - smoothstep(0.3, -0.4, y) * side), m - (0.84 + 0.1 * smoothstep(0.1, 0.6, y)))
  }
  const locks = (x: number, y: number, z: number, size: number, depth: number) =>
    depth * noise(x * size, y * size * 0.7, z * size + seed)
  return (x, y, z) => {
    const m = Math.abs(x)
    const shell = (by: number) => scalp(x, y, z, by)
    const face0 = open(x, y, z, fringe, 0.1)
    if (hair === 'crop') return carve(Math.max(shell(0.05), -(y - 0.02 + z * 0.35)), face0, 0.05)
    if (hair === 'short') {
      const quiff = egg(x - part * 0.4, y - 1.06, z - 0.28, 0.62, 0.24, 0.5)
      const cap = carve(Math.max(shell(0.1), -(y + 0.05 + z * 0.45)), face0, 0.05)
      return blend(cap, carve(quiff, face0, 0.05), 0.18) + locks(x, y, z, 6, 0.035)
    }
    if (hair === 'afro')
      return (
        carve(
          blend(egg(x, y - 0.52, z + 0.16, 1.22, 1.12, 1.16), shell(0.2), 0.1),
          open(x, y, z, fringe - 0.02, 0.2),
          0.08,
        ) + locks(x, y, z, 9, 0.05)
      )
    if (hair === 'curls') {
      const mass = blend(
        egg(x, y - 0.42, z + 0.16, 1.02, 1.0, 1.06),
        egg(m - 0.78, y + 0.1, z + 0.25, 0.34, 0.72, 0.5),
        0.2,
      )
      return carve(mass, open(x, y, z, fringe - 0.03, 0.15), 0.08) + locks(x, y, z, 5.5, 0.12)
    }
    if (hair === 'scarf') {
      const wrap = blend(shell(0.15), egg(x, y + 0.75, z + 0.12, 0.72, 0.75, 0.62), 0.35)
      const drape = blend(wrap, egg(x, y + 1.45, z + 0.1, 0.95, 0.45, 0.72), 0.3)
      const oval = egg(x, y + 0.13, z - 0.75, 0.62, 0.82, 0.85)
      return carve(drape, oval, 0.05) + 0.03 * Math.sin(y * 11 + x * 7 + 2 * noise(x * 2, y * 2, z * 2))
    }
    const cap = carve(shell(0.11), face0, 0.05)
    if (hair === 'bun') {
      const bun = egg(x, y - 1.25, z + 0.62, 0.42, 0.38, 0.4)
      return blend(Math.max(cap, -(y + 0.35 + z * 0.5)), bun, 0.12) + locks(x, y, z, 5, 0.03)
    }
    const long = hair === 'long' || hair === 'waves'
    const end = long ? -1.75 : -0.72
    const swing = hair === 'waves' ? 0.1 * Math.sin(y * 6 + x * 2) : 0.025 * Math.sin(y * 4 + x)
    const curtain = limb(m + swing, y, z, [0.72, 0.3, -0.1], [long ? 0.78 : 0.72, end, -0.12], 0.3, long ? 0.26 : 0.3)
    const back = Math.max(egg(x, y + 0.2, z + 0.5, 0.92, long ? 1.9 : 1.15, 0.6), -(y - end))
    const sides = carve(blend(Math.max(curtain, -(y - end)), back, 0.25), open(x, y, z, 2, 0.22), 0.1)
    return blend(cap, sides, 0.16) + locks(x, y, z, 4, long ? 0.04 : 0.02)
  }
}

function addBody(stage: Stage, face: Face, skin: Surface): void {
  const { cut = 'round' } = face
  const torso: Field = (x, y, z) => {
    const m = Math.abs(x)
    let d = egg(x, y + 3.1, z + 0.3, 1.5, 1.35, 0.85)
    d = blend(d, limb(m, y, z, [0.4, -1.78, -0.3], [1.5, -2.25, -0.3], 0.34, 0.46), 0.3)
    return blend(d, limb(m, y, z, [1.5, -2.25, -0.3], [1.95, -3.8, -0.1], 0.46, 0.42), 0.2)
  }
  const chest: Field = (x, y, z) => torso(x, y, z) + 0.07
  stage.add(polygonize(chest, [-1.3, -3.3, -1.3], [1.3, -1.2, 1.1], 0.06), skin)
  const cloth: Field = (x, y, z) => {
    const folds = 0.02 * fbm(x * 1.6, y * 2.4, z * 1.6, 3)
    const body = torso(x, y, z) - 0.02 + folds
    if (cut === 'turtle')
      return blend(body, Math.max(limb(x, y, z, [0, -1.2, -0.22], [0, -1.9, -0.28], 0.52, 0.56), y + 1.18), 0.12)
    const neck =
      cut === 'v'
        ? egg(x, y + 1.5, z - 0.5, 0.3 + (y + 2.4) * 0.2, 0.9, 0.9)
        : egg(x, y + 1.38, z - 0.12, 0.6, 0.52, 0.72)
    const open = carve(body, neck, 0.05)
    if (cut !== 'collar') return open
    const collar = Math.max(
      Math.abs(egg(x, y + 1.62, z + 0.18, 0.6, 0.4, 0.62)) - 0.03,
      Math.abs(y + 1.62 + z * 0.25) - 0.2,
      0.12 - Math.abs(x) * 0.6 - Math.max(-z, 0),
    )
    return Math.min(open, collar)
  }
  const fabric =
    cut === 'turtle' ? wool(face.clothes, 0.35) : linen(face.clothes, { pitch: 0.022, sheen: 0.15, worn: 0.06 })
  stage.add(polygonize(cloth, [-2.6, -3.5, -1.4], [2.6, -1.05, 1.2], 0.06), fabric)
}

function addGlasses(stage: Stage, color: string, pose: { turned: Vector }): void {
  const frame = matt(color, { rough: 0.25, coat: 1 })
  const ring: Vector[] = Array.from({ length: 25 }, (_, i) => {
    const angle = (i / 24) * Math.PI * 2
    return [Math.cos(angle) * 0.27, Math.sin(angle) * 0.235 * (Math.sin(angle) > 0 ? 0.9 : 1), 0]
  })
  for (const side of [-1, 1]) {
    stage.add(tube(ring, 0.026, { parts: 10, steps: 3 }), frame, placed(pose, [side * 0.34, 0.05, 0.95]))
    stage.add(
      tube(
        [
          [0, 0, 0],
          [side * 0.24, 0.03, -0.2],
          [side * 0.3, 0.03, -0.95],
        ],
        0.022,
        { parts: 8 },
      ),
      frame,
      placed(pose, [side * 0.6, 0.1, 0.92]),
    )
  }
  stage.add(
    tube(
      [
        [-0.09, 0, 0],
        [0, 0.04, 0.03],
        [0.09, 0, 0],
      ],
      0.022,
      { parts: 8 },
    ),
    frame,
    placed(pose, [0, 0.09, 0.96]),
  )
}

function lightUp(stage: Stage, face: Face): void {
  const back = hex(face.backdrop)
  const kind = face.light ?? 'window'
  const warm = hex('#ffd9b0')
  const cool = hex('#cfe0ff')
  // A blurred room: broad patches of light and shade behind the shoulders.
  stage.sky = (x, y, z) => {
    if (z > 0.2) return scale(mix(cool, warm, 0.4), 0.1 + 0.12 * Math.max(y, 0))
    const patch = smoothstep(-0.25, 0.5, fbm(x * 5 + face.seed, y * 6, face.seed * 0.7, 3))
    const spot = Math.exp(-(((x - 0.13) / 0.14) ** 2) - ((y - 0.02) / 0.16) ** 2)
    return scale(back, 0.3 + 0.45 * patch + 0.75 * spot + 0.3 * Math.max(y, -0.3))
  }
  if (kind === 'studio') {
    stage.softbox([-3.2, 2.6, 4.5], [0, 0, 0], 3.4, 3.4, scale([1, 0.98, 0.95], 5.2))
    stage.softbox([4, 0.2, 3.4], [0, 0, 0], 2.6, 3.4, scale(cool, 1.1))
    stage.softbox([2.6, 2.4, -3.2], [0, 0, 0], 1.6, 2.6, scale([1, 1, 1], 5))
  } else if (kind === 'evening') {
    stage.softbox([-4.4, 0.9, 2.4], [0, 0, 0], 2.2, 2.8, scale(hex('#ffb46a'), 10))
    stage.softbox([3.8, 1.6, 2.8], [0, 0, 0], 3, 3, scale(hex('#8fb4ff'), 1.1))
    stage.softbox([3.2, 1.8, -3], [0, 0, 0], 1.4, 2.4, scale(hex('#ff9a5a'), 6))
  } else if (kind === 'rim') {
    stage.softbox([3.6, 2.2, 3.2], [0, 0, 0], 1.8, 2.6, scale([1, 0.95, 0.88], 8))
    stage.softbox([-3.4, 1.6, -2.6], [0, 0, 0], 1.6, 3, scale(cool, 9))
    stage.softbox([-4, 0, 3], [0, 0, 0], 3, 3, scale(cool, 0.6))
  } else {
    stage.softbox([-4.2, 1.7, 3.2], [0, -0.1, 0], 2.8, 3.6, scale([1, 0.96, 0.9], 6.2))
    stage.softbox([4.4, 0.4, 2.6], [0, 0, 0], 3.4, 3.4, scale(warm, 0.9))
    stage.softbox([2.2, 2.6, -3.4], [0, 0, 0], 1.6, 2.2, scale(warm, 4))
  }
}
