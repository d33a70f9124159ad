import { afterEach, expect, it, vi } from 'vitest'
import { readDraft, writeDraft } from '../forms/draft.ts'
import { videoPositions } from '../media/video-positions.ts'
import { claimLocalData, forgetLocalData } from './local-data.ts'

afterEach(() => vi.restoreAllMocks())

function leaveTraces() {
  writeDraft('comment 1', { content: 'half a se' })
  videoPositions.write('posts/u/1.mp4', '60.0')
}
const traces = () => [readDraft('comment 1').content, videoPositions.read('posts/u/1.mp4')]

it('keeps drafts and video positions when the same user signs in again', () => {
  claimLocalData('ada')
  leaveTraces()
  claimLocalData('ada')
  expect(traces()).toEqual(['half a se', '60.0'])
})

it('deletes them when another user’s session follows without a sign-out', () => {
  claimLocalData('ada')
  leaveTraces()
  claimLocalData('grace')
  expect(traces()).toEqual([undefined, null])
  claimLocalData('ada')
  expect(traces()).toEqual([undefined, null])
})

it('keeps drafts from before the sign-in', () => {
  leaveTraces()
  claimLocalData('ada')
  expect(traces()).toEqual(['half a se', '60.0'])
})

it('deletes them at sign-out, and nothing else', () => {
  claimLocalData('ada')
  leaveTraces()
  localStorage.setItem('mantine-color-scheme-value', 'dark')
  forgetLocalData()
  expect(traces()).toEqual([undefined, null])
  expect(Object.keys(localStorage)).toEqual(['mantine-color-scheme-value'])
})

it('works when storage is blocked', () => {
  vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('blocked', 'SecurityError')
  })
  vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
    throw new DOMException('blocked', 'SecurityError')
  })
  claimLocalData('ada')
  leaveTraces()
  expect(traces()).toEqual([undefined, null])
  forgetLocalData()
})
