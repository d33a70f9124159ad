/** The same programming interface without what our streams do not have: its types are the whole package's. */
declare module 'hls.js/light' {
  export { default } from 'hls.js'
}
