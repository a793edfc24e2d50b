import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin, type Rollup } from 'vite'

/** The timeline inside a chat: one document without any reference. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [tailwindcss(), inlined()],
  build: {
    rolldownOptions: { input: `${import.meta.dirname}/chat.html` },
    cssCodeSplit: false,
    modulePreload: false,
    reportCompressedSize: false,
  },
})

/** Puts script and styles into the document. */
function inlined(): Plugin {
  return {
    name: 'inlined',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const files = Object.values(bundle)
      const page = files.find(({ fileName }) => fileName.endsWith('.html'))
      if (page?.type !== 'asset') throw new Error('the bundle has no document')
      for (const file of files.filter((each) => each !== page)) {
        page.source = withFile(String(page.source), file)
        delete bundle[file.fileName]
      }
    },
  }
}

function withFile(html: string, file: Rollup.OutputAsset | Rollup.OutputChunk): string {
  const reference = new RegExp(`<(script|link)[^>]*${file.fileName}"[^>]*>(</script>)?`)
  if (!reference.test(html)) throw new Error(`the document does not name ${file.fileName}`)
  const content = file.type === 'chunk' ? file.code : String(file.source)
  const [begin, end] = file.type === 'chunk' ? ['<script type="module">', '</script>'] : ['<style>', '</style>']
  return html.replace(reference, () => `${begin}${content.trim().replaceAll('</', '<\\/')}${end}`)
}
