import type { Stage } from './stage.ts'

const bins = 12
const leafSize = 4

/** Where a ray has hit. */
export type Hit = { t: number; triangle: number; b: number; c: number }

/** All triangles of a stage in a tree of boxes (built by the surface area heuristic), flat in typed arrays. */
export class Triangles {
  readonly count: number
  /** Of each triangle: a corner and its two edges. */
  readonly corners: Float32Array
  readonly normals: Float32Array
  readonly uvs: Float32Array
  readonly rest: Float32Array
  readonly part: Uint16Array
  #boxes = new Float32Array(0)
  /** Of each node: its first triangle or its second child, and its number of triangles, which is 0 for a node with children. */
  #links = new Int32Array(0)
  readonly #stack = new Int32Array(96)

  constructor(stage: Stage) {
    let count = 0
    for (const { mesh } of stage.parts) count += mesh.faces.length / 3
    this.count = count
    const order = new Uint32Array(count).map((_, index) => index)
    const raw = readCorners(stage, count)
    this.#build(raw.points, order)
    this.corners = new Float32Array(count * 9)
    this.normals = new Float32Array(count * 9)
    this.uvs = new Float32Array(count * 6)
    this.rest = new Float32Array(count * 9)
    this.part = new Uint16Array(count)
    for (let index = 0; index < count; index++) {
      const from = order[index]
      const p = raw.points.subarray(from * 9, from * 9 + 9)
      for (let axis = 0; axis < 3; axis++) {
        this.corners[index * 9 + axis] = p[axis]
        this.corners[index * 9 + 3 + axis] = p[3 + axis] - p[axis]
        this.corners[index * 9 + 6 + axis] = p[6 + axis] - p[axis]
      }
      this.normals.set(raw.normals.subarray(from * 9, from * 9 + 9), index * 9)
      this.rest.set(raw.rest.subarray(from * 9, from * 9 + 9), index * 9)
      this.uvs.set(raw.uvs.subarray(from * 6, from * 6 + 6), index * 6)
      this.part[index] = raw.part[from]
    }
  }

  #build(points: Float32Array, order: Uint32Array): void {
    const count = order.length
    const middles = new Float32Array(count * 3)
    const bounds = new Float32Array(count * 6)
    for (let index = 0; index < count; index++)
      for (let axis = 0; axis < 3; axis++) {
        const [a, b, c] = [points[index * 9 + axis], points[index * 9 + 3 + axis], points[index * 9 + 6 + axis]]
        bounds[index * 6 + axis] = Math.min(a, b, c)
        bounds[index * 6 + 3 + axis] = Math.max(a, b, c)
        middles[index * 3 + axis] = (bounds[index * 6 + axis] + bounds[index * 6 + 3 + axis]) / 2
      }
    const boxes = new Float32Array(Math.max(count * 2, 1) * 6)
    const links = new Int32Array(Math.max(count * 2, 1) * 2)
    let used = 0
    const divide = (from: number, to: number): number => {
      const node = used++
      const low = [Infinity, Infinity, Infinity]
      const high = [-Infinity, -Infinity, -Infinity]
      const middleLow = [Infinity, Infinity, Infinity]
      const middleHigh = [-Infinity, -Infinity, -Infinity]
      for (let index = from; index < to; index++) {
        const triangle = order[index]
        for (let axis = 0; axis < 3; axis++) {
          low[axis] = Math.min(low[axis], bounds[triangle * 6 + axis])
          high[axis] = Math.max(high[axis], bounds[triangle * 6 + 3 + axis])
          middleLow[axis] = Math.min(middleLow[axis], middles[triangle * 3 + axis])
          middleHigh[axis] = Math.max(middleHigh[axis], middles[triangle * 3 + axis])
        }
      }
      boxes.set([...low, ...high], node * 6)
      const cut = to - from > leafSize ? findCut(order, from, to, bounds, middles, middleLow, middleHigh) : undefined
      if (!cut) {
        links[node * 2] = from
        links[node * 2 + 1] = to - from
        return node
      }
      let middle = from
      for (let index = from; index < to; index++)
        if (middles[order[index] * 3 + cut.axis] < cut.at) {
          const swapped = order[index]
          order[index] = order[middle]
          order[middle++] = swapped
        }
      if (middle === from || middle === to) middle = (from + to) >> 1
      divide(from, middle)
      links[node * 2] = divide(middle, to)
      return node
    }
    if (count > 0) divide(0, count)
    this.#boxes = boxes.slice(0, used * 6)
    this.#links = links.slice(0, used * 2)
  }

  /** The nearest triangle within `hit.t`, which is shortened. @param any the first one found is good enough. */
  cast(ox: number, oy: number, oz: number, dx: number, dy: number, dz: number, hit: Hit, any: boolean): boolean {
    const boxes = this.#boxes
    const links = this.#links
    const corners = this.corners
    const stack = this.#stack
    const ix = 1 / dx
    const iy = 1 / dy
    const iz = 1 / dz
    let found = false
    let depth = 0
    let node = 0
    if (this.count === 0) return false
    for (;;) {
      const size = links[node * 2 + 1]
      if (size > 0) {
        const first = links[node * 2]
        for (let index = first; index < first + size; index++) {
          const at = index * 9
          const e1x = corners[at + 3]
          const e1y = corners[at + 4]
          const e1z = corners[at + 5]
          const e2x = corners[at + 6]
          const e2y = corners[at + 7]
          const e2z = corners[at + 8]
          const px = dy * e2z - dz * e2y
          const py = dz * e2x - dx * e2z
          const pz = dx * e2y - dy * e2x
          const det = e1x * px + e1y * py + e1z * pz
          if (det > -1e-12 && det < 1e-12) continue
          const inverse = 1 / det
          const tx = ox - corners[at]
          const ty = oy - corners[at + 1]
          const tz = oz - corners[at + 2]
          const b = (tx * px + ty * py + tz * pz) * inverse
          if (b < 0 || b > 1) continue
          const qx = ty * e1z - tz * e1y
          const qy = tz * e1x - tx * e1z
          const qz = tx * e1y - ty * e1x
          const c = (dx * qx + dy * qy + dz * qz) * inverse
          if (c < 0 || b + c > 1) continue
          const t = (e2x * qx + e2y * qy + e2z * qz) * inverse
          if (t <= 1e-4 || t >= hit.t) continue
          hit.t = t
          hit.triangle = index
          hit.b = b
          hit.c = c
          found = true
          if (any) return true
        }
      } else {
        const left = node + 1
        const right = links[node * 2]
        const tLeft = enter(boxes, left * 6, ox, oy, oz, ix, iy, iz, hit.t)
        const tRight = enter(boxes, right * 6, ox, oy, oz, ix, iy, iz, hit.t)
        if (tLeft < tRight) {
          if (tRight < Infinity) stack[depth++] = right
          node = left
          continue
        }
        if (tRight < Infinity) {
          if (tLeft < Infinity) stack[depth++] = left
          node = right
          continue
        }
      }
      if (depth === 0) return found
      node = stack[--depth]
    }
  }
}

/** How far along the ray a box begins; infinity where it is missed. */
function enter(
  boxes: Float32Array,
  at: number,
  ox: number,
  oy: number,
  oz: number,
  ix: number,
  iy: number,
  iz: number,
  limit: number,
): number {
  const x1 = (boxes[at] - ox) * ix
  const x2 = (boxes[at + 3] - ox) * ix
  const y1 = (boxes[at + 1] - oy) * iy
  const y2 = (boxes[at + 4] - oy) * iy
  const z1 = (boxes[at + 2] - oz) * iz
  const z2 = (boxes[at + 5] - oz) * iz
  const near = Math.max(Math.min(x1, x2), Math.min(y1, y2), Math.min(z1, z2))
  const far = Math.min(Math.max(x1, x2), Math.max(y1, y2), Math.max(z1, z2))
  return far >= Math.max(near, 0) && near < limit ? near : Infinity
}

function readCorners(stage: Stage, count: number) {
  const points = new Float32Array(count * 9)
  const normals = new Float32Array(count * 9)
  const rest = new Float32Array(count * 9)
  const uvs = new Float32Array(count * 6)
  const part = new Uint16Array(count)
  let triangle = 0
  stage.parts.forEach(({ mesh }, number) => {
    for (let face = 0; face < mesh.faces.length; face += 3) {
      for (let corner = 0; corner < 3; corner++) {
        const from = mesh.faces[face + corner]
        for (let axis = 0; axis < 3; axis++) {
          points[triangle * 9 + corner * 3 + axis] = mesh.points[from * 3 + axis]
          normals[triangle * 9 + corner * 3 + axis] = mesh.normals[from * 3 + axis]
          rest[triangle * 9 + corner * 3 + axis] = mesh.rest[from * 3 + axis]
        }
        uvs[triangle * 6 + corner * 2] = mesh.uvs[from * 2]
        uvs[triangle * 6 + corner * 2 + 1] = mesh.uvs[from * 2 + 1]
      }
      part[triangle++] = number
    }
  })
  return { points, normals, rest, uvs, part }
}

/** The cheapest plane between two bins; undefined where all middles are in one place. */
function findCut(
  order: Uint32Array,
  from: number,
  to: number,
  bounds: Float32Array,
  middles: Float32Array,
  low: readonly number[],
  high: readonly number[],
): { axis: number; at: number } | undefined {
  let best: { axis: number; at: number } | undefined
  let cheapest = Infinity
  for (let axis = 0; axis < 3; axis++) {
    const extent = high[axis] - low[axis]
    if (extent < 1e-9) continue
    const counts = new Float64Array(bins)
    const boxes = Array.from({ length: bins }, () => [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity])
    for (let index = from; index < to; index++) {
      const triangle = order[index]
      const bin = Math.min(Math.floor(((middles[triangle * 3 + axis] - low[axis]) / extent) * bins), bins - 1)
      counts[bin]++
      grow(boxes[bin], bounds, triangle * 6)
    }
    for (let cut = 1; cut < bins; cut++) {
      const cost = costOf(boxes, counts, 0, cut) + costOf(boxes, counts, cut, bins)
      if (cost < cheapest) {
        cheapest = cost
        best = { axis, at: low[axis] + (extent * cut) / bins }
      }
    }
  }
  return best
}

function grow(box: number[], bounds: ArrayLike<number>, at: number): void {
  for (let axis = 0; axis < 3; axis++) {
    box[axis] = Math.min(box[axis], bounds[at + axis])
    box[axis + 3] = Math.max(box[axis + 3], bounds[at + 3 + axis])
  }
}

function costOf(boxes: readonly number[][], counts: Float64Array, from: number, to: number): number {
  const whole = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]
  let count = 0
  for (let bin = from; bin < to; bin++) {
    if (counts[bin] === 0) continue
    count += counts[bin]
    grow(whole, boxes[bin], 0)
  }
  if (count === 0) return 0
  const [x, y, z] = [whole[3] - whole[0], whole[4] - whole[1], whole[5] - whole[2]]
  return count * (x * y + y * z + z * x)
}
