import path from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chains } from '../src/chains/chains.ts'
import { keyScopes } from '../src/core/scopes.ts'
import { endpoints } from '../src/endpoints/catalog.ts'

const works = Object.fromEntries([
  ...endpoints.map(({ id, title, exportNouns: nouns }) => [id, { title, nouns }] as const),
  ...chains.map(({ id, title }) => [id, { title }] as const),
])

export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  plugins: [react(), tailwindcss()],
  define: { __KEY_SCOPES__: JSON.stringify(keyScopes), __WORKS__: JSON.stringify(works) },
  build: {
    // An inlined asset would be a data: address, which the policy of the pages refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: ['index.html', 'linked.html'].map((name) => path.join(import.meta.dirname, name)),
    },
  },
})
