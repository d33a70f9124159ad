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

it('finds what was typed and where a video stopped again after the same person has signed in again', () => {
  claimLocalData('ada')
  leaveTraces()
  claimLocalData('ada')
  expect(traces()).toEqual(['half a se', '60.0'])
})

it('leaves nothing of one person to the next, whose session followed without a sign-out', () => {
  claimLocalData('ada')
  leaveTraces()
  claimLocalData('grace')
  expect(traces()).toEqual([undefined, null])
  claimLocalData('ada')
  expect(traces()).toEqual([undefined, null])
})

it('takes along what somebody typed before they signed in', () => {
  leaveTraces()
  claimLocalData('ada')
  expect(traces()).toEqual(['half a se', '60.0'])
})

it('forgets all of it at a sign-out, and nothing that is not of it', () => {
  claimLocalData('ada')
  leaveTraces()
  localStorage.setItem('mantine-color-scheme-value', 'dark')
  forgetLocalData()
  expect(traces()).toEqual([undefined, null])
  expect(Object.keys(localStorage)).toEqual(['mantine-color-scheme-value'])
})

it('does without where storage is blocked', () => {
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
