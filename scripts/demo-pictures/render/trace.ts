import { denoise, type Features } from './denoise.ts'
import type { Image, Size } from './image.ts'
import { facingOf, type Light, type Spot, type Stage, type Surface } from './stage.ts'
import { type Hit, Triangles } from './triangles.ts'
import { dot, length, normalize, subtract, type Vector } from './vector.ts'

export type TraceOptions = Size & {
  /** Paths for each pixel. */
  readonly paths?: number
  readonly bounces?: number
}

const brightest = 3

/** Takes a photograph of a stage: traces paths of light, then smooths what is left of their noise. */
export function photograph(stage: Stage, { width, height, paths = 9, bounces = 3 }: TraceOptions): Image {
  const tracer = new Tracer(stage, bounces)
  const { from, angle, focus, lens = 0, tilt = 0 } = stage.camera
  const { forward, right, up, distance } = facingOf(stage.camera)
  const sharp = focus ? Math.abs(dot(subtract(focus, from), forward)) : distance
  const half = Math.tan((angle * Math.PI) / 360)
  const [st, ct] = [Math.sin((tilt * Math.PI) / 180), Math.cos((tilt * Math.PI) / 180)]
  const pixels = new Float32Array(width * height * 3)
  const squares = new Float32Array(width * height)
  const features: Features = {
    albedo: new Float32Array(width * height * 3),
    normal: new Float32Array(width * height * 3),
    depth: new Float32Array(width * height),
  }
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const pixel = y * width + x
      tracer.seed(pixel)
      const [jx, jy, lx, ly] = [tracer.random(), tracer.random(), tracer.random(), tracer.random()]
      for (let path = 0; path < paths; path++) {
        // Points that spread evenly over pixel and lens (the R sequence), moved by chance for each pixel.
        const sx = ((x + ((jx + path * 0.754_877_67) % 1) - width / 2) / (height / 2)) * half
        const sy = -((y + ((jy + path * 0.569_840_29) % 1) - height / 2) / (height / 2)) * half
        const turn = Math.PI * 2 * ((lx + path * 0.618_033_99) % 1)
        const reach = lens * Math.sqrt((ly + (path + 0.5) / paths) % 1)
        const [a, b] = [Math.cos(turn) * reach, Math.sin(turn) * reach]
        const [rx, ry] = [sx * ct - sy * st, sx * st + sy * ct]
        const start: Vector = [
          from[0] + right[0] * a + up[0] * b,
          from[1] + right[1] * a + up[1] * b,
          from[2] + right[2] * a + up[2] * b,
        ]
        const aim = normalize([
          from[0] + (forward[0] + right[0] * rx + up[0] * ry) * sharp - start[0],
          from[1] + (forward[1] + right[1] * rx + up[1] * ry) * sharp - start[1],
          from[2] + (forward[2] + right[2] * rx + up[2] * ry) * sharp - start[2],
        ])
        tracer.follow(start, aim)
        const weight = 1 / paths
        const { light, first } = tracer
        const level = (light[0] + light[1] + light[2]) / 3
        const held = level > brightest ? brightest / level : 1
        squares[pixel] += (level * held) ** 2 * weight
        for (let channel = 0; channel < 3; channel++) {
          pixels[pixel * 3 + channel] += light[channel] * held * weight
          features.albedo[pixel * 3 + channel] += first.color[channel] * weight
          features.normal[pixel * 3 + channel] += first.normal[channel] * weight
        }
        features.depth[pixel] += Math.min(first.depth, 1000) * weight
      }
    }
  return denoise({ width, height, pixels }, features, squares, paths)
}

const reflectance = (cosine: number, base: number) => base + (1 - base) * (1 - cosine) ** 5

class Tracer {
  readonly light: [number, number, number] = [0, 0, 0]
  /** What the path saw first. */
  readonly first = { color: [0, 0, 0], normal: [0, 0, 0], depth: 0 }
  readonly #stage: Stage
  readonly #triangles: Triangles
  readonly #surfaces: readonly Surface[]
  readonly #areas: readonly number[]
  readonly #facings: readonly Vector[]
  readonly #bounces: number
  readonly #hit: Hit = { t: 0, triangle: 0, b: 0, c: 0 }
  readonly #spot: Spot = { x: 0, y: 0, z: 0, u: 0, v: 0, up: 0 }
  readonly #n: [number, number, number] = [0, 0, 0]
  readonly #means: (Vector | undefined)[] = []
  #state = 1

  constructor(stage: Stage, bounces: number) {
    this.#stage = stage
    this.#triangles = new Triangles(stage)
    this.#surfaces = stage.parts.map(({ surface }) => surface)
    this.#areas = stage.lights.map(({ right, up }) => 4 * length(right) * length(up))
    this.#facings = stage.lights.map(({ right, up }) => facing(right, up))
    this.#bounces = bounces
  }

  seed(number: number): void {
    this.#state = (Math.imul(number + 1, 2_654_435_761) ^ 0x9e3779b9) | 1
    this.random()
    this.random()
  }

  random(): number {
    let s = this.#state
    s ^= s << 13
    s ^= s >>> 17
    s ^= s << 5
    this.#state = s
    return (s >>> 0) / 4_294_967_296
  }

  /** Follows one path of light back from the camera, into `light` and `first`. */
  follow(from: Vector, aim: Vector): void {
    const { light, first } = this
    const hit = this.#hit
    const spot = this.#spot
    const n = this.#n
    let [ox, oy, oz] = from
    let [dx, dy, dz] = aim
    let [tr, tg, tb] = [1, 1, 1]
    light[0] = light[1] = light[2] = 0
    first.color = [1, 1, 1]
    first.normal = [0, 0, 0]
    first.depth = 1000
    // Each matt surface looks for the lamps, so that paths from there don't count them again.
    let counts = true
    for (let bounce = 0; bounce <= this.#bounces; bounce++) {
      hit.t = Infinity
      const found = this.#triangles.cast(ox, oy, oz, dx, dy, dz, hit, false)
      const lamp = counts ? this.#lampAhead(ox, oy, oz, dx, dy, dz, found ? hit.t : Infinity, bounce === 0) : undefined
      if (lamp) {
        light[0] += tr * lamp.color[0]
        light[1] += tg * lamp.color[1]
        light[2] += tb * lamp.color[2]
        return
      }
      if (!found) {
        const sky = this.#stage.sky(dx, dy, dz)
        light[0] += tr * sky[0]
        light[1] += tg * sky[1]
        light[2] += tb * sky[2]
        return
      }
      const surface = this.#surfaces[this.#triangles.part[hit.triangle]]
      const px = ox + dx * hit.t
      const py = oy + dy * hit.t
      const pz = oz + dz * hit.t
      const inside = this.#look(surface, dx, dy, dz, bounce === 0)
      const color =
        typeof surface.color !== 'function'
          ? surface.color
          : bounce === 0
            ? surface.color(spot)
            : this.#meanColor(this.#triangles.part[hit.triangle], surface.color)
      if (surface.glow) {
        const glow = typeof surface.glow === 'function' ? surface.glow(spot) : surface.glow
        light[0] += tr * glow[0]
        light[1] += tg * glow[1]
        light[2] += tb * glow[2]
      }
      if (bounce === 0) {
        first.color = [color[0], color[1], color[2]]
        first.normal = [n[0], n[1], n[2]]
        first.depth = hit.t
      }
      const [nx, ny, nz] = n
      const cosine = Math.max(-(dx * nx + dy * ny + dz * nz), 0.001)
      if (surface.glass) {
        const index = inside ? surface.glass : 1 / surface.glass
        const under = 1 - index * index * (1 - cosine * cosine)
        const base = ((surface.glass - 1) / (surface.glass + 1)) ** 2
        if (under < 0 || this.random() < reflectance(cosine, base)) {
          dx += 2 * cosine * nx
          dy += 2 * cosine * ny
          dz += 2 * cosine * nz
        } else {
          const along = index * cosine - Math.sqrt(under)
          dx = index * dx + along * nx
          dy = index * dy + along * ny
          dz = index * dz + along * nz
          tr *= color[0]
          tg *= color[1]
          tb *= color[2]
        }
        ox = px
        oy = py
        oz = pz
        continue
      }
      const metal = surface.metal ?? 0
      const rough = typeof surface.rough === 'function' ? surface.rough(spot) : (surface.rough ?? 0.6)
      const base = 0.04 * (surface.coat ?? 0.6)
      const matt = (1 - metal) * (1 - rough * 0.5)
      const shine = lerpTo(reflectance(cosine, base) * matt, 1, metal)
      const shines = metal > 0 || base > 0
      const chance = metal > 0.99 ? 1 : shines ? Math.min(Math.max(shine, 0.02), 0.95) : 0
      if (this.random() < chance) {
        const out = this.#mirror(dx, dy, dz, nx, ny, nz, Math.max(rough, 0.02))
        if (!out) return
        const weight = shine / chance
        if (metal > 0) {
          const glance = (1 - cosine) ** 5
          tr *= weight * lerpTo(1, color[0] + (1 - color[0]) * glance, metal)
          tg *= weight * lerpTo(1, color[1] + (1 - color[1]) * glance, metal)
          tb *= weight * lerpTo(1, color[2] + (1 - color[2]) * glance, metal)
        } else {
          tr *= weight
          tg *= weight
          tb *= weight
        }
        ;[dx, dy, dz] = out
        ox = px + nx * 1e-4
        oy = py + ny * 1e-4
        oz = pz + nz * 1e-4
        // A rough highlight of a small lamp is noise; the lamp is seen by chance all the same.
        counts = true
        continue
      }
      const rest = ((1 - metal) * (1 - shine * (1 - metal))) / (1 - chance || 1)
      tr *= color[0] * rest
      tg *= color[1] * rest
      tb *= color[2] * rest
      this.#lamps(surface, px, py, pz, cosine, tr, tg, tb)
      const strongest = Math.max(tr, tg, tb)
      if (bounce > 1) {
        const stays = Math.min(strongest, 0.95)
        if (this.random() > stays) return
        tr /= stays
        tg /= stays
        tb /= stays
      }
      ;[dx, dy, dz] = this.#scatter(nx, ny, nz)
      ox = px + nx * 1e-4
      oy = py + ny * 1e-4
      oz = pz + nz * 1e-4
      counts = false
    }
  }

  /** What a pattern looks like from afar, which is enough for light that has bounced. */
  #meanColor(part: number, color: (spot: Spot) => Vector): Vector {
    const known = this.#means[part]
    if (known) return known
    const { rest, uvs } = this.#stage.parts[part].mesh
    let sum: Vector = [0, 0, 0]
    const samples = 24
    for (let index = 0; index < samples; index++) {
      const at = Math.floor((index / samples) * (rest.length / 3))
      const spot = {
        x: rest[at * 3],
        y: rest[at * 3 + 1],
        z: rest[at * 3 + 2],
        u: uvs[at * 2],
        v: uvs[at * 2 + 1],
        up: 1,
      }
      const seen = color(spot)
      sum = [sum[0] + seen[0] / samples, sum[1] + seen[1] / samples, sum[2] + seen[2] / samples]
    }
    this.#means[part] = sum
    return sum
  }

  /** Reads normal, pattern, and grid of the hit. @returns whether the surface is seen from behind. */
  #look(surface: Surface, dx: number, dy: number, dz: number, isFirst: boolean): boolean {
    const { triangle, b, c } = this.#hit
    const { normals, rest, uvs, corners } = this.#triangles
    const n = this.#n
    const spot = this.#spot
    const a = 1 - b - c
    const at = triangle * 9
    let nx = normals[at] * a + normals[at + 3] * b + normals[at + 6] * c
    let ny = normals[at + 1] * a + normals[at + 4] * b + normals[at + 7] * c
    let nz = normals[at + 2] * a + normals[at + 5] * b + normals[at + 8] * c
    spot.x = rest[at] * a + rest[at + 3] * b + rest[at + 6] * c
    spot.y = rest[at + 1] * a + rest[at + 4] * b + rest[at + 7] * c
    spot.z = rest[at + 2] * a + rest[at + 5] * b + rest[at + 8] * c
    spot.u = uvs[triangle * 6] * a + uvs[triangle * 6 + 2] * b + uvs[triangle * 6 + 4] * c
    spot.v = uvs[triangle * 6 + 1] * a + uvs[triangle * 6 + 3] * b + uvs[triangle * 6 + 5] * c
    if (surface.relief && isFirst) {
      const { relief, reliefStep: e = 0.004 } = surface
      const { x, y, z, u, v } = spot
      const here = relief(x, y, z, u, v)
      const gx = (relief(x + e, y, z, u, v) - here) / e
      const gy = (relief(x, y + e, z, u, v) - here) / e
      const gz = (relief(x, y, z + e, u, v) - here) / e
      const m = this.#stage.parts[this.#triangles.part[triangle]].matrix
      const wx = m[0][0] * gx + m[0][1] * gy + m[0][2] * gz
      const wy = m[1][0] * gx + m[1][1] * gy + m[1][2] * gz
      const wz = m[2][0] * gx + m[2][1] * gy + m[2][2] * gz
      const along = wx * nx + wy * ny + wz * nz
      nx -= wx - along * nx
      ny -= wy - along * ny
      nz -= wz - along * nz
    }
    const size = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz)
    nx *= size
    ny *= size
    nz *= size
    // The true plane decides on which side the ray is.
    const gx = corners[at + 4] * corners[at + 8] - corners[at + 5] * corners[at + 7]
    const gy = corners[at + 5] * corners[at + 6] - corners[at + 3] * corners[at + 8]
    const gz = corners[at + 3] * corners[at + 7] - corners[at + 4] * corners[at + 6]
    const inside = gx * dx + gy * dy + gz * dz > 0
    if (inside) {
      nx = -nx
      ny = -ny
      nz = -nz
    }
    spot.up = ny
    n[0] = nx
    n[1] = ny
    n[2] = nz
    return inside
  }

  /** Adds what a matt surface gets from the lamps and the sun directly. */
  #lamps(
    surface: Surface,
    px: number,
    py: number,
    pz: number,
    cosine: number,
    tr: number,
    tg: number,
    tb: number,
  ): void {
    const { light } = this
    const [nx, ny, nz] = this.#n
    const { lights, sun } = this.#stage
    const soft = surface.soft ?? 0
    const sheen = (surface.sheen ?? 0) * (1 - cosine) ** 3
    for (let index = 0; index < lights.length; index++) {
      const { at, right, up, color } = lights[index]
      const a = this.random() * 2 - 1
      const b = this.random() * 2 - 1
      const lx = at[0] + right[0] * a + up[0] * b - px
      const ly = at[1] + right[1] * a + up[1] * b - py
      const lz = at[2] + right[2] * a + up[2] * b - pz
      const away = Math.sqrt(lx * lx + ly * ly + lz * lz)
      const facing = this.#facings[index]
      const leaving = -(lx * facing[0] + ly * facing[1] + lz * facing[2]) / away
      if (leaving <= 0) continue
      const arriving = (lx * nx + ly * ny + lz * nz) / away
      if (arriving <= -soft) continue
      const open = this.#open(px, py, pz, lx / away, ly / away, lz / away, away, soft)
      if (open === 0) continue
      const weight = (open * leaving * this.#areas[index]) / (away * away * Math.PI)
      light[0] += tr * color[0] * weight * (around(arriving, soft) + sheen)
      light[1] += tg * color[1] * weight * (around(arriving, soft * 0.45) + sheen)
      light[2] += tb * color[2] * weight * (around(arriving, soft * 0.25) + sheen)
    }
    if (!sun) return
    const sx = sun.from[0] + (this.random() - 0.5) * sun.spread
    const sy = sun.from[1] + (this.random() - 0.5) * sun.spread
    const sz = sun.from[2] + (this.random() - 0.5) * sun.spread
    const size = 1 / Math.sqrt(sx * sx + sy * sy + sz * sz)
    const arriving = (sx * nx + sy * ny + sz * nz) * size
    if (arriving <= -soft) return
    const open = this.#open(px, py, pz, sx * size, sy * size, sz * size, Infinity, soft)
    if (open === 0) return
    light[0] += tr * sun.color[0] * open * (around(arriving, soft) + sheen)
    light[1] += tg * sun.color[1] * open * (around(arriving, soft * 0.45) + sheen)
    light[2] += tb * sun.color[2] * open * (around(arriving, soft * 0.25) + sheen)
  }

  /** How much light gets through: 0 behind something, less than 1 behind glass. */
  #open(px: number, py: number, pz: number, dx: number, dy: number, dz: number, away: number, soft: number): number {
    const hit = this.#hit
    const [nx, ny, nz] = this.#n
    // Light that creeps around starts a little above, or the surface would be in its own way.
    const lift = 1e-4 + soft * 0.12
    let [ox, oy, oz] = [px + nx * lift, py + ny * lift, pz + nz * lift]
    let left = away * 0.9995
    let through = 1
    for (let panes = 0; panes < 6; panes++) {
      hit.t = left
      if (!this.#triangles.cast(ox, oy, oz, dx, dy, dz, hit, false)) return through
      const surface = this.#surfaces[this.#triangles.part[hit.triangle]]
      if (!surface.glass) return 0
      through *= 0.86
      const step = hit.t + 1e-4
      ox += dx * step
      oy += dy * step
      oz += dz * step
      left -= step
    }
    return through
  }

  #lampAhead(ox: number, oy: number, oz: number, dx: number, dy: number, dz: number, limit: number, isFirst: boolean) {
    let nearest = limit
    let ahead: Light | undefined
    const { lights } = this.#stage
    for (let index = 0; index < lights.length; index++) {
      const lamp = lights[index]
      if (isFirst && lamp.hidden) continue
      const f = this.#facings[index]
      const toward = dx * f[0] + dy * f[1] + dz * f[2]
      if (toward > -1e-6) continue
      const { at, right, up } = lamp
      const t = ((at[0] - ox) * f[0] + (at[1] - oy) * f[1] + (at[2] - oz) * f[2]) / toward
      if (t <= 1e-4 || t >= nearest) continue
      const qx = ox + dx * t - at[0]
      const qy = oy + dy * t - at[1]
      const qz = oz + dz * t - at[2]
      const rr = right[0] ** 2 + right[1] ** 2 + right[2] ** 2
      const uu = up[0] ** 2 + up[1] ** 2 + up[2] ** 2
      if (Math.abs(qx * right[0] + qy * right[1] + qz * right[2]) > rr) continue
      if (Math.abs(qx * up[0] + qy * up[1] + qz * up[2]) > uu) continue
      nearest = t
      ahead = lamp
    }
    return ahead
  }

  /** A direction around the mirrored one, after GGX. */
  #mirror(dx: number, dy: number, dz: number, nx: number, ny: number, nz: number, rough: number): Vector | undefined {
    const a = rough * rough
    const r = this.random()
    const cos = Math.sqrt((1 - r) / (1 + (a * a - 1) * r))
    const sin = Math.sqrt(Math.max(0, 1 - cos * cos))
    const turn = this.random() * Math.PI * 2
    const [tx, ty, tz, bx, by, bz] = frame(nx, ny, nz)
    const [x, y] = [Math.cos(turn) * sin, Math.sin(turn) * sin]
    const hx = tx * x + bx * y + nx * cos
    const hy = ty * x + by * y + ny * cos
    const hz = tz * x + bz * y + nz * cos
    const along = 2 * (dx * hx + dy * hy + dz * hz)
    const out: Vector = [dx - along * hx, dy - along * hy, dz - along * hz]
    return out[0] * nx + out[1] * ny + out[2] * nz > 0 ? out : undefined
  }

  /** A direction as matt surfaces scatter light. */
  #scatter(nx: number, ny: number, nz: number): Vector {
    const r = this.random()
    const turn = this.random() * Math.PI * 2
    const out = Math.sqrt(r)
    const [x, y, z] = [Math.cos(turn) * out, Math.sin(turn) * out, Math.sqrt(1 - r)]
    const [tx, ty, tz, bx, by, bz] = frame(nx, ny, nz)
    return [tx * x + bx * y + nx * z, ty * x + by * y + ny * z, tz * x + bz * y + nz * z]
  }
}

/** Two directions that stand upright on a third (Duff and others, 2017). */
function frame(nx: number, ny: number, nz: number): readonly [number, number, number, number, number, number] {
  const sign = nz >= 0 ? 1 : -1
  const a = -1 / (sign + nz)
  const b = nx * ny * a
  return [1 + sign * nx * nx * a, sign * b, -sign * nx, b, sign + ny * ny * a, -ny]
}

const lerpTo = (a: number, b: number, share: number) => a + (b - a) * share

/** The cosine of the light's angle, which reaches beyond the edge of the shade where a surface is soft. */
const around = (cosine: number, soft: number) => Math.max((cosine + soft) / ((1 + soft) * (1 + soft)), 0)

function facing(right: Vector, up: Vector): Vector {
  // A softbox looks along up × right: to the front where right is on the right for those whom it lights from behind the camera.
  return normalize([
    up[1] * right[2] - up[2] * right[1],
    up[2] * right[0] - up[0] * right[2],
    up[0] * right[1] - up[1] * right[0],
  ])
}
