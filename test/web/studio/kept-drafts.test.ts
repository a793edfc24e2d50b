import { describe, expect, it } from 'vitest'
import { forgetKept } from '../../../web/src/components/kept.ts'
import { type Draft, editorOf, editorReducer, newEditor } from '../../../web/src/studio/editor.ts'
import { createKeptDrafts } from '../../../web/src/studio/kept-drafts.ts'
import { createKeptUploads } from '../../../web/src/uploads/kept-uploads.ts'

/** A storage whose entries are its own keys, as in browsers. */
function fakeStorage(entries: Record<string, string> = {}): Storage {
  const methods: Storage = {
    length: 0,
    key: () => null,
    clear: () => {},
    getItem: (key: string) => entries[key] ?? null,
    setItem: (key: string, value: string) => {
      entries[key] = value
    },
    removeItem: (key: string) => {
      delete entries[key]
    },
  }
  return new Proxy(methods, {
    ownKeys: () => Object.keys(entries),
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  })
}

const draft: Draft = {
  settings: { minSeconds: 1 },
  edits: [
    { kind: 'keep', start: 1, end: 2 },
    { kind: 'cut', start: 5, end: 6 },
  ],
}

describe('the draft of an upload', () => {
  it('is found again, and is forgotten once nothing of it is left', () => {
    const storage = fakeStorage()
    const drafts = createKeptDrafts(storage)
    drafts.keep('upl_1', draft)
    expect(createKeptDrafts(storage).find('upl_1')).toEqual(draft)
    expect(drafts.find('upl_2')).toEqual(newEditor.draft)
    drafts.keep('upl_1', newEditor.draft)
    expect(Object.keys(storage)).toEqual([])
  })

  it('is one of at most 20, the newest ones, and none is left for the next person', () => {
    const storage = fakeStorage({ 'uploads of a program': 'x' })
    let time = 0
    const drafts = createKeptDrafts(storage, () => ++time)
    for (let index = 0; index < 22; index++) drafts.keep(`upl_${index}`, draft)
    drafts.keep('upl_2', draft)
    drafts.keep('upl_new', draft)
    expect(Object.keys(storage)).toHaveLength(21)
    expect(drafts.find('upl_2')).toEqual(draft)
    expect(drafts.find('upl_3')).toEqual(newEditor.draft)
    forgetKept(storage)
    expect(Object.keys(storage)).toEqual(['uploads of a program'])
  })

  it('of 6,000 edits is found again, and one that a full storage does not take disturbs nobody', () => {
    const storage = fakeStorage()
    const long: Draft = { settings: {}, edits: Array.from({ length: 6000 }, () => ({ kind: 'cut', start: 1, end: 2 })) }
    createKeptDrafts(storage).keep('upl_1', long)
    expect(createKeptDrafts(storage).find('upl_1')).toEqual(long)
    const full = new Proxy(storage, {
      get: (target, name) =>
        name === 'setItem'
          ? () => {
              throw new DOMException('', 'QuotaExceededError')
            }
          : Reflect.get(target, name),
    })
    createKeptDrafts(full).keep('upl_2', draft)
    const uploads = createKeptUploads(full, 'usr_1')
    const session = { id: 'upl_3', media_url: '', upload_url: '', upload_headers: {} }
    uploads.keep(new File(['a'], 'a.wav'), session, 0)
    expect(uploads.list()).toEqual([])
    expect(createKeptUploads(fakeStorage({ 'upload usr_1 1 1 a.wav': 'no JSON' }), 'usr_1').list()).toEqual([])
  })

  it.each(['no JSON', '{}', '{"keptAt":1,"draft":{"settings":{},"edits":[{"kind":"other","start":1,"end":2}]}}'])(
    'is an empty one where the storage has %s',
    (text) => {
      expect(createKeptDrafts(fakeStorage({ 'draft upl_1': text })).find('upl_1')).toEqual(newEditor.draft)
    },
  )

  it('is undone one edit after the other, then its settings', () => {
    const undone = [1, 2, 3].reduce<ReturnType<typeof editorOf>[]>(
      (states) => [...states, editorReducer(states.at(-1) ?? newEditor, { type: 'undo' })],
      [editorOf(draft)],
    )
    expect(undone.map((state) => [state.draft.edits.length, state.draft.settings])).toEqual([
      [2, { minSeconds: 1 }],
      [1, { minSeconds: 1 }],
      [0, { minSeconds: 1 }],
      [0, {}],
    ])
    expect(editorOf(newEditor.draft)).toEqual(newEditor)
  })
})
