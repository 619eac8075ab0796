// The chart as a PNG: the server's drawing, painted at twice its size.

/**
 * @param {string} address of an SVG file
 * @returns {Promise<Blob>}
 */
async function painted(address) {
  const drawing = await (await fetch(address)).blob();
  const source = URL.createObjectURL(drawing);
  const image = new Image();
  image.src = source;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = 2 * image.naturalWidth;
  canvas.height = 2 * image.naturalHeight;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(source);
  return new Promise((resolve) => {
    canvas.toBlob(resolve, "image/png");
  });
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest?.("[data-png]");
  if (!link) return;
  event.preventDefault();
  const address = URL.createObjectURL(await painted(link.href));
  const download = document.createElement("a");
  download.href = address;
  download.download = link.download;
  download.click();
  URL.revokeObjectURL(address);
});
