import { add, cross, rotation, scale, subtract, turn, type Vector } from '../render/vector.ts'

/** Triangles with smooth normals. `rest` is where a point was before the mesh was placed: patterns stay on their things. */
export type Mesh = {
  readonly points: number[]
  readonly normals: number[]
  readonly uvs: number[]
  readonly rest: number[]
  readonly faces: number[]
}

export type Placement = { readonly at?: Vector; readonly turned?: Vector; readonly size?: number }

export const emptyMesh = (): Mesh => ({ points: [], normals: [], uvs: [], rest: [], faces: [] })

/**
 * A surface over a grid: `point` maps u and v, each from 0 to 1. The front is where u runs to the right and v up. Edges that meet, as of a
 * tube, are smooth where `closed`.
 */
export function sheet(point: (u: number, v: number) => Vector, across: number, along: number, closed = false): Mesh {
  const mesh = emptyMesh()
  const row = across + 1
  const grid: Vector[] = []
  for (let j = 0; j <= along; j++) for (let i = 0; i <= across; i++) grid.push(point(i / across, j / along))
  const at = (i: number, j: number): Vector => grid[j * row + i]
  for (let j = 0; j <= along; j++)
    for (let i = 0; i <= across; i++) {
      const left = i > 0 ? at(i - 1, j) : closed ? at(across - 1, j) : at(i, j)
      const right = i < across ? at(i + 1, j) : closed ? at(1, j) : at(i, j)
      const normal = cross(subtract(right, left), subtract(at(i, Math.min(j + 1, along)), at(i, Math.max(j - 1, 0))))
      pushPoint(mesh, at(i, j), normal, i / across, j / along)
    }
  for (let j = 0; j < along; j++)
    for (let i = 0; i < across; i++) {
      const a = j * row + i
      mesh.faces.push(a, a + 1, a + row + 1, a, a + row + 1, a + row)
    }
  return mesh
}

export function pushPoint(mesh: Mesh, at: Vector, normal: Vector, u: number, v: number): void {
  const size = Math.hypot(...normal) || 1
  mesh.points.push(...at)
  mesh.rest.push(...at)
  mesh.normals.push(normal[0] / size, normal[1] / size, normal[2] / size)
  mesh.uvs.push(u, v)
}

export function join(...meshes: readonly Mesh[]): Mesh {
  const whole = emptyMesh()
  for (const mesh of meshes) {
    const first = whole.points.length / 3
    for (const name of ['points', 'normals', 'uvs', 'rest'] as const)
      for (const value of mesh[name]) whole[name].push(value)
    for (const face of mesh.faces) whole.faces.push(face + first)
  }
  return whole
}

export function place(mesh: Mesh, { at = [0, 0, 0], turned = [0, 0, 0], size = 1 }: Placement): Mesh {
  const matrix = rotation(turned)
  const points: number[] = []
  const normals: number[] = []
  for (let i = 0; i < mesh.points.length; i += 3) {
    points.push(...add(scale(turn(matrix, triple(mesh.points, i)), size), at))
    normals.push(...turn(matrix, triple(mesh.normals, i)))
  }
  return { ...mesh, points, normals }
}

/** Moves each point, and finds the normals again. */
export function deform(mesh: Mesh, move: (at: Vector, normal: Vector) => Vector): Mesh {
  const points: number[] = []
  for (let i = 0; i < mesh.points.length; i += 3) points.push(...move(triple(mesh.points, i), triple(mesh.normals, i)))
  return withNormals({ ...mesh, points })
}

/** Points in the same place share a normal, so that seams don't show. */
function withNormals(mesh: Mesh): Mesh {
  const sums = new Map<string, [number, number, number]>()
  const key = (index: number) => {
    const [x, y, z] = triple(mesh.points, index * 3)
    return `${Math.round(x * 1e5)} ${Math.round(y * 1e5)} ${Math.round(z * 1e5)}`
  }
  for (let f = 0; f < mesh.faces.length; f += 3) {
    const corners = [mesh.faces[f], mesh.faces[f + 1], mesh.faces[f + 2]]
    const [a, b, c] = corners.map((corner) => triple(mesh.points, corner * 3))
    const normal = cross(subtract(b, a), subtract(c, a))
    for (const corner of corners) {
      const sum = sums.get(key(corner)) ?? [0, 0, 0]
      for (let axis = 0; axis < 3; axis++) sum[axis] += normal[axis]
      sums.set(key(corner), sum)
    }
  }
  const normals: number[] = []
  for (let index = 0; index < mesh.points.length / 3; index++) {
    const sum = sums.get(key(index)) ?? [0, 1, 0]
    const size = Math.hypot(...sum) || 1
    normals.push(sum[0] / size, sum[1] / size, sum[2] / size)
  }
  return { ...mesh, normals }
}

export const triple = (values: ArrayLike<number>, at: number): Vector => [values[at], values[at + 1], values[at + 2]]
