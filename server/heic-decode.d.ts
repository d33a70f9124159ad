declare module 'heic-decode' {
  /** RGBA, upright. The package has no types of its own. */
  export default function decode(input: {
    buffer: Uint8Array
  }): Promise<{ width: number; height: number; data: Uint8ClampedArray<ArrayBuffer> }>
}
